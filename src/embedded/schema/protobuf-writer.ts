/** Writes protobuf messages field by field (https://protobuf.dev/programming-guides/encoding/). */
export class ProtobufWriter {
  private readonly parts: Buffer[] = [];

  string(field: number, text: string | undefined): this {
    if (text !== undefined && text !== "") this.bytes(field, Buffer.from(text, "utf8"));
    return this;
  }

  strings(field: number, texts: readonly string[] | undefined): this {
    for (const text of texts ?? []) this.bytes(field, Buffer.from(text, "utf8"));
    return this;
  }

  bool(field: number, value: boolean | undefined): this {
    if (value === true) this.parts.push(varint(field << 3), varint(1));
    return this;
  }

  message(field: number, content: ProtobufWriter | undefined): this {
    if (content !== undefined) this.bytes(field, content.finish());
    return this;
  }

  finish(): Buffer {
    return Buffer.concat(this.parts);
  }

  private bytes(field: number, content: Buffer): void {
    this.parts.push(varint((field << 3) | 2), varint(content.length), content);
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}
