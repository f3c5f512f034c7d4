/** What a script prints, kept up to a limit: the beginning, for that is where the first error is. */
export class CapturedOutput {
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  /** Bytes that came after the limit. */
  cut = 0;

  constructor(private readonly limit: number) {}

  add(chunk: Buffer): void {
    const room = this.limit - this.kept;
    const taken = chunk.subarray(0, Math.max(0, room));
    if (taken.length > 0) this.chunks.push(Buffer.from(taken));
    this.kept += taken.length;
    this.cut += chunk.length - taken.length;
  }

  /** UTF-8; a character that the limit cut in two is dropped. */
  get text(): string {
    const text = Buffer.concat(this.chunks).toString("utf8");
    return this.cut > 0 ? text.replace(/\ufffd{1,3}$/, "") : text;
  }
}
