import { createHash } from "node:crypto";

/** What a store should hold, written with every batch: shows at the next start whether anything is missing. */
export interface ContentState {
  revision: number;
  count: number;
  /** Of all records together, whatever their order (16 hexadecimal digits). */
  digest: string;
}

/** 64 bits of a text, 16 hexadecimal digits: enough to find an accident on a disk. */
export function checksum(text: string): string {
  return createHash("sha1").update(text).digest("hex").slice(0, 16);
}

/** Keeps the sum of records that come and go. */
export class ContentSum {
  private readonly sums = new Map<string, bigint>();
  private total = 0n;

  /** @param sum the record's own checksum; undefined when the record goes */
  set(key: string, sum: string | undefined): void {
    this.total ^= this.sums.get(key) ?? 0n;
    if (sum === undefined) {
      this.sums.delete(key);
      return;
    }
    const value = BigInt(`0x${sum}`);
    this.sums.set(key, value);
    this.total ^= value;
  }

  state(revision: number): ContentState {
    return { revision, count: this.sums.size, digest: this.total.toString(16).padStart(16, "0") };
  }
}
