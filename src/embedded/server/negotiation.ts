/** How an answer is wanted. */
export interface Accepted {
  mediaType: "application/json" | "application/yaml";
  /** `as=Table`, `as=PartialObjectMetadata`, `as=APIGroupDiscoveryList` … */
  as: string | undefined;
  group: string | undefined;
  version: string | undefined;
}

/**
 * The first of the client's media types that we can make; undefined when there is none (406). Protobuf is never
 * answered: every client that asks for it takes JSON as well.
 */
export function negotiate(accept: string | undefined, offered: (candidate: Accepted) => boolean): Accepted | undefined {
  for (const clause of (accept ?? "*/*").split(",")) {
    const [type = "", ...parameters] = clause.split(";").map((part) => part.trim());
    const values = new Map(parameters.map((p) => p.split("=").map((x) => x.trim()) as [string, string]));
    const mediaType = mediaTypeOf(type);
    if (mediaType === undefined) continue;
    const candidate = { mediaType, as: values.get("as"), group: values.get("g"), version: values.get("v") };
    if (candidate.as === undefined || offered(candidate)) return candidate;
  }
  return undefined;
}

function mediaTypeOf(type: string): Accepted["mediaType"] | undefined {
  if (type === "application/json" || type === "*/*" || type === "application/*" || type === "")
    return "application/json";
  return type === "application/yaml" ? type : undefined;
}
