/** How a quantity was written, and is printed again: `100m`, `1Gi`, `1e3`. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** A resource amount (k8s.io/apimachinery/pkg/api/resource.Quantity). */
export interface Quantity {
  /** The amount in 10⁻⁹ units; nothing smaller exists. */
  readonly nano: bigint;
  readonly format: QuantityFormat;
  /** As it was written, when the server keeps that spelling. */
  readonly text?: string;
}

/** Why a text is no quantity, in the API server's words. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "QuantityError";
  }
}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const nanoPerUnit = 10n ** 9n;
const maxBinary = (2n ** 63n - 1n) * nanoPerUnit;
/** The digits that the server's 64-bit path holds. */
const maxInt64Digits = 18;

const decimalSuffixes: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binarySuffixes: Record<string, number> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/**
 * Reads a quantity as the API server does. A number (YAML `cpu: 2`) is read as its decimal text.
 * @throws {QuantityError} with the server's message
 */
export function parseQuantity(input: string | number): Quantity {
  const text = typeof input === "number" ? String(input) : input;
  const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (text === "" || parts === null) throw new QuantityError(wrongFormat);
  if (text === "0") return { nano: 0n, format: "DecimalSI", text };
  const negative = parts[1] === "-";
  const whole = (parts[2] ?? "").replace(/^0+/, "");
  const fraction = parts[3] ?? "";
  const suffix = interpretSuffix(parts[4] ?? "");
  if (suffix === undefined) throw new QuantityError("unable to parse quantity's suffix");
  if ((parts[2] ?? "") + fraction === "") throw new QuantityError("unable to parse numeric part of quantity");

  const digits = (whole === "" ? "0" : whole) + fraction;
  let nano = scaled(BigInt(digits), -fraction.length, suffix);
  let format = suffix.format;
  if (format === "BinarySI") {
    if (nano > maxBinary) nano = maxBinary;
    // A binary fraction below one is printed as a decimal.
    if (nano > 0n && nano < nanoPerUnit) format = "DecimalSI";
  }
  if (negative) nano = -nano;
  return keepsSpelling(digits, fraction, suffix) ? { nano, format, text } : { nano, format };
}

/** The canonical text: `0.5` is `500m`, `1024Mi` is `1Gi`, `2000m` is `2`. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { nano } = quantity;
  if (nano === 0n) return "0";
  const binary =
    quantity.format === "BinarySI" &&
    nano % nanoPerUnit === 0n &&
    (nano >= 1024n * nanoPerUnit || nano <= -1024n * nanoPerUnit);
  if (binary) {
    const [mantissa, exponent] = stripFactor(nano / nanoPerUnit, 1024n, 6);
    return `${mantissa}${Object.keys(binarySuffixes)[exponent - 1] ?? ""}`;
  }
  if (quantity.format === "DecimalExponent") {
    const [mantissa, thousands] = stripFactor(nano, 1000n, Number.POSITIVE_INFINITY);
    const exponent = thousands * 3 - 9;
    return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
  }
  const [mantissa, thousands] = stripFactor(nano, 1000n, 9);
  return `${mantissa}${Object.keys(decimalSuffixes)[thousands] ?? ""}`;
}

/** What the server stores and prints for a quantity a client sent. */
export function canonicalQuantity(input: string | number): string {
  return formatQuantity(parseQuantity(input));
}

/** Below, at or above zero as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/** The sum, in the format of `a` (of `b` when `a` is zero). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** The difference, in the format of `a` (of `b` when `a` is zero). */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** The amount in whole units, rounded up (away from zero), as Quantity.Value does. */
export function quantityValue(quantity: Quantity): number {
  return Number(roundAway(quantity.nano, nanoPerUnit));
}

/** The amount in thousandths, rounded up, as Quantity.MilliValue does: CPUs are counted so. */
export function quantityMilliValue(quantity: Quantity): number {
  return Number(roundAway(quantity.nano, 10n ** 6n));
}

/** A quantity of whole units, or of thousandths. */
export function quantityOf(
  amount: number,
  format: QuantityFormat = "DecimalSI",
  unit: "units" | "milli" = "units",
): Quantity {
  return { nano: BigInt(amount) * (unit === "units" ? nanoPerUnit : 10n ** 6n), format };
}

interface Suffix {
  base: 2 | 10;
  exponent: number;
  format: QuantityFormat;
}

function interpretSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes[text];
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: "DecimalSI" };
  const binary = binarySuffixes[text];
  if (binary !== undefined) return { base: 2, exponent: binary, format: "BinarySI" };
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(text)?.[1];
  return exponent === undefined ? undefined : { base: 10, exponent: Number(exponent), format: "DecimalExponent" };
}

function scaled(digits: bigint, tens: number, suffix: Suffix): bigint {
  const value = suffix.base === 2 ? digits * 2n ** BigInt(suffix.exponent) : digits;
  const power = tens + 9 + (suffix.base === 10 ? suffix.exponent : 0);
  // Less than a billionth is rounded up: who asks for something gets something.
  return power >= 0 ? value * 10n ** BigInt(power) : roundAway(value, 10n ** BigInt(-power));
}

/** The server keeps the spelling of what its quick path finds canonical already. */
function keepsSpelling(digits: string, fraction: string, suffix: Suffix): boolean {
  if (suffix.format === "BinarySI") {
    if (fraction !== "" || 15 - digits.length - Math.trunc((suffix.exponent * 3) / 10) - 1 < 0) return false;
    return (BigInt(digits) & 7n) !== 0n;
  }
  const scale = suffix.exponent - fraction.length;
  if (digits.length > maxInt64Digits || scale < -9) return false;
  return scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function stripFactor(value: bigint, factor: bigint, most: number): [bigint, number] {
  let count = 0;
  while (count < most && value % factor === 0n) {
    value /= factor;
    count += 1;
  }
  return [value, count];
}

function roundAway(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  if (value % unit === 0n) return whole;
  return value < 0n ? whole - 1n : whole + 1n;
}
