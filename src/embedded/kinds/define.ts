import type { KubeObject, Wire } from "../api/object.ts";
import type { KindStrategy } from "../registry/strategy.ts";

/** An object of a client model as the registry hands it to a strategy: apiVersion, kind and metadata are there. */
export type Kind<T> = KubeObject & Wire<T>;

/** Lets a strategy be written against its kind's type; the registry only ever passes it objects of that kind. */
export function defineKind<T extends KubeObject>(strategy: KindStrategy<T>): KindStrategy {
  return strategy as unknown as KindStrategy;
}
