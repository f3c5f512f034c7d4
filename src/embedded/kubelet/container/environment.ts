import type { Container, Pod } from "../../api/pod.ts";
import { configMaps, secrets } from "../../controllers/framework/resources.ts";
import type { Store } from "../../store/store.ts";

/**
 * The environment a container starts with, or why it cannot: the reason of CreateContainerConfigError.
 */
export function containerEnvironment(
  store: Store,
  pod: Pod,
  container: Container,
  facts: { nodeName: string; podIp: string; hostIp: string },
): { env: Record<string, string> } | { error: string } {
  const env: Record<string, string> = {};
  const namespace = pod.metadata.namespace!;
  for (const from of container.envFrom ?? []) {
    const [gr, ref, what] = from.configMapRef
      ? ([configMaps, from.configMapRef, "configmap"] as const)
      : ([secrets, from.secretRef, "secret"] as const);
    if (!ref?.name) continue;
    const object = store.get(gr, namespace, ref.name);
    if (object === undefined) {
      if (ref.optional) continue;
      return { error: `${what} "${ref.name}" not found` };
    }
    const data = (object["data"] ?? {}) as Record<string, string>;
    for (const [key, value] of Object.entries(data)) env[`${from.prefix ?? ""}${key}`] = decoded(what, value);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    if (valueFrom?.configMapKeyRef || valueFrom?.secretKeyRef) {
      const [gr, ref, what] = valueFrom.configMapKeyRef
        ? ([configMaps, valueFrom.configMapKeyRef, "configmap"] as const)
        : ([secrets, valueFrom.secretKeyRef!, "secret"] as const);
      const object = store.get(gr, namespace, ref.name ?? "");
      const found = (object?.["data"] as Record<string, string> | undefined)?.[ref.key];
      if (found !== undefined) env[name] = decoded(what, found);
      else if (!ref.optional) {
        if (object === undefined) return { error: `${what} "${ref.name}" not found` };
        const kind = what === "configmap" ? "ConfigMap" : "Secret";
        return { error: `couldn't find key ${ref.key} in ${kind} ${namespace}/${ref.name}` };
      }
    } else if (valueFrom?.fieldRef) env[name] = fieldValue(pod, valueFrom.fieldRef.fieldPath, facts);
    else if (value !== undefined) env[name] = value.replace(/\$\(([A-Za-z_]\w*)\)/g, (all, ref) => env[ref] ?? all);
  }
  return { env };
}

function decoded(what: "configmap" | "secret", value: string): string {
  return what === "secret" ? Buffer.from(value, "base64").toString("utf8") : value;
}

function fieldValue(pod: Pod, path: string, facts: { nodeName: string; podIp: string; hostIp: string }): string {
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed) return pod.metadata[keyed[1] as "labels" | "annotations"]?.[keyed[2]!] ?? "";
  const values: Record<string, string | undefined> = {
    "metadata.name": pod.metadata.name,
    "metadata.namespace": pod.metadata.namespace,
    "metadata.uid": pod.metadata.uid,
    "spec.nodeName": facts.nodeName,
    "spec.serviceAccountName": pod.spec?.serviceAccountName,
    "status.podIP": facts.podIp,
    "status.podIPs": facts.podIp,
    "status.hostIP": facts.hostIp,
  };
  return values[path] ?? "";
}
