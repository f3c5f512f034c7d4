import { isIP } from "node:net";
import { type FieldError, fieldError } from "../../api/field-error.ts";

/** An IPv4 or IPv6 address. */
export function ipAddress(value: string, path: string): FieldError[] {
  return isIP(value) !== 0
    ? []
    : [fieldError.invalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")];
}

/** A range of addresses: `10.0.0.0/8`. */
export function cidr(value: string, path: string): FieldError[] {
  return cidrFamily(value) !== 0
    ? []
    : [fieldError.invalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")];
}

/** 4 or 6, or 0 for what is no range. */
export function cidrFamily(value: string): 0 | 4 | 6 {
  const [address = "", length = ""] = value.split("/");
  const family = isIP(address);
  if (!/^\d{1,3}$/.test(length) || family === 0) return 0;
  if (Number(length) > (family === 4 ? 32 : 128)) return 0;
  return family === 4 ? 4 : 6;
}
