import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from "../api/quantity.ts";

/** Quantities by resource: `requests.cpu`, `count/secrets`. */
export type Amounts = Record<string, Quantity>;

export function readAmounts(list: Record<string, string> | undefined): Amounts {
  return Object.fromEntries(Object.entries(list ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
}

export function writeAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = { ...a };
  for (const [name, quantity] of Object.entries(b)) {
    const have = sum[name];
    sum[name] = have === undefined ? quantity : addQuantities(have, quantity);
  }
  return sum;
}

/** The larger of the two of each resource. */
export function largestAmounts(a: Amounts, b: Amounts): Amounts {
  const most = { ...a };
  for (const [name, quantity] of Object.entries(b)) {
    const have = most[name];
    if (have === undefined || compareQuantities(quantity, have) > 0) most[name] = quantity;
  }
  return most;
}

/** What `a` has more than `b`; resources of which it has no more are left out. */
export function increase(a: Amounts, b: Amounts): Amounts {
  const more: Amounts = {};
  for (const [name, quantity] of Object.entries(a)) {
    const before = b[name];
    const rest = before === undefined ? quantity : subtractQuantities(quantity, before);
    if (rest.nano > 0n) more[name] = rest;
  }
  return more;
}

export function onlyNamed(amounts: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.includes(name)));
}

/** `limits.cpu=1,pods=2` */
export function amountsText(amounts: Amounts): string {
  return Object.entries(amounts)
    .map(([name, quantity]) => `${name}=${formatQuantity(quantity)}`)
    .sort()
    .join(",");
}
