import { DecodeError } from "./decode-error.ts";
import { kindOf } from "./go-words.ts";

/**
 * RFC 3339 to the second in UTC, as metav1.Time prints it; a MicroTime keeps six decimals.
 *
 * @throws DecodeError in the words of Go's time.Parse
 */
export function decodeTime(value: unknown, micro: boolean): string {
  if (typeof value !== "string") {
    throw new DecodeError(`json: cannot unmarshal ${kindOf(value)} into Go value of type string`);
  }
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(value);
  const milliseconds = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3]}`);
  if (Number.isNaN(milliseconds)) {
    const layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    const shown = JSON.stringify(value);
    throw new DecodeError(`parsing time ${shown} as "${layout}": cannot parse ${shown} as "2006"`);
  }
  const seconds = new Date(milliseconds).toISOString().slice(0, 19);
  return micro ? `${seconds}.${(match![2] ?? ".").slice(1, 7).padEnd(6, "0")}Z` : `${seconds}Z`;
}

/** Standard base64 without line ends. @throws DecodeError in the words of Go's encoding/base64 */
export function decodeBase64(value: string): string {
  const compact = value.replace(/[\r\n]/g, "");
  const good = /^[A-Za-z0-9+/]*={0,2}/.exec(compact)![0].length;
  if (good < compact.length || compact.length % 4 !== 0) {
    throw new DecodeError(`illegal base64 data at input byte ${Math.min(good, compact.length - (compact.length % 4))}`);
  }
  return compact;
}
