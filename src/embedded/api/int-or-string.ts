/** k8s.io/apimachinery/pkg/util/intstr: a number, or a percentage such as `25%` (or a port's name). */
export type IntOrString = number | string;

/** The number in `50%`, or undefined for anything else. */
export function percentOf(value: IntOrString | undefined): number | undefined {
  const digits = typeof value === "string" ? /^([+-]?[0-9]+)%$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The count that a number or a percentage of `total` stands for; percentages are rounded up or down.
 * @throws {Error} `invalid value for IntOrString: …` for a text that is no percentage, as the server says it
 */
export function getScaledValueFromIntOrPercent(value: IntOrString, total: number, roundUp: boolean): number {
  if (typeof value === "number") return value;
  if (!value.endsWith("%")) {
    throw new Error("invalid value for IntOrString: invalid type: string is not a percentage");
  }
  const percent = percentOf(value);
  if (percent === undefined) {
    const digits = value.slice(0, -1);
    throw new Error(
      `invalid value for IntOrString: invalid value ${JSON.stringify(value)}: strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`,
    );
  }
  const share = (percent * total) / 100;
  return roundUp ? Math.ceil(share) : Math.floor(share);
}
