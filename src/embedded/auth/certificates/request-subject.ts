/** One element of a DER encoding. */
interface Element {
  tag: number;
  content: Buffer;
  /** What follows the element. */
  rest: Buffer;
}

const commonName = "550403";
const organization = "55040a";

/**
 * The name and the groups that a certificate request (PKCS #10, PEM) asks for: its subject's CN and O.
 * @throws Error for what is no certificate request
 */
export function requestSubject(pem: string): { commonName: string; organizations: string[] } {
  const [, body = ""] =
    /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/.exec(pem) ?? [];
  const info = element(element(Buffer.from(body, "base64")).content);
  const version = element(info.content);
  const subject = { commonName: "", organizations: [] as string[] };
  for (const set of elements(element(version.rest).content)) {
    for (const attribute of elements(set.content)) {
      const type = element(attribute.content);
      const value = element(type.rest).content.toString("utf8");
      const oid = type.content.toString("hex");
      if (oid === commonName) subject.commonName = value;
      else if (oid === organization) subject.organizations.push(value);
    }
  }
  return subject;
}

function elements(bytes: Buffer): Element[] {
  const out: Element[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const next = element(rest);
    out.push(next);
    rest = next.rest;
  }
  return out;
}

function element(bytes: Buffer): Element {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) throw new Error("asn1: syntax error: data truncated");
  let start = 2;
  let length = first;
  if (first >= 0x80) {
    const size = first & 0x7f;
    if (size === 0 || size > 4 || bytes.length < 2 + size) throw new Error("asn1: syntax error: invalid length");
    length = bytes.readUIntBE(2, size);
    start += size;
  }
  if (start + length > bytes.length) throw new Error("asn1: syntax error: data truncated");
  return { tag, content: bytes.subarray(start, start + length), rest: bytes.subarray(start + length) };
}
