import type { PolicyRule } from "../authorization.ts";

const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];

/**
 * Reads rules written as lines: `VERBS GROUPS RESOURCES [NAMES]`, or `VERBS /PATHS`, lists with commas. `read` stands
 * for get, list and watch, `write` for all verbs that change, `core` for the group without a name.
 */
export function rulesFrom(text: string): PolicyRule[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(ruleFrom);
}

function ruleFrom(line: string): PolicyRule {
  const [verbs = "", second = "", resources, names] = line.split(/ +/);
  const rule = { verbs: list(verbs).flatMap((verb) => (verb === "read" ? read : verb === "write" ? write : [verb])) };
  rule.verbs.sort();
  if (resources === undefined) return { ...rule, nonResourceURLs: list(second) };
  return {
    ...rule,
    apiGroups: list(second).map(groupName),
    resources: list(resources),
    ...(names === undefined ? {} : { resourceNames: list(names) }),
  };
}

function list(text: string): string[] {
  return text.split(",");
}

/** Groups of Kubernetes' own are written without `.k8s.io`. */
function groupName(group: string): string {
  if (group === "core") return "";
  return ["*", "apps", "autoscaling", "batch", "extensions", "policy"].includes(group) ? group : `${group}.k8s.io`;
}
