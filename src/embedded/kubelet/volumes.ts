import type { Pod } from "../api/pod.ts";
import { configMaps, persistentVolumeClaims, secrets } from "../controllers/framework/resources.ts";
import type { Store } from "../store/store.ts";

/** A volume that cannot be mounted, in the words of the FailedMount event. */
export interface MountProblem {
  message: string;
}

/** The first volume of a Pod that cannot be mounted: its ConfigMap, Secret, key or claim is missing. */
export function mountProblem(store: Store, pod: Pod): MountProblem | undefined {
  const namespace = pod.metadata.namespace!;
  for (const volume of pod.spec?.volumes ?? []) {
    const failed = (what: string) => ({ message: `MountVolume.SetUp failed for volume "${volume.name}" : ${what}` });
    const references = [
      { kind: "configmap", ref: volume.configMap, name: volume.configMap?.name, items: volume.configMap?.items },
      { kind: "secret", ref: volume.secret, name: volume.secret?.secretName, items: volume.secret?.items },
      ...(volume.projected?.sources ?? []).flatMap((source) => [
        { kind: "configmap", ref: source.configMap, name: source.configMap?.name, items: source.configMap?.items },
        { kind: "secret", ref: source.secret, name: source.secret?.name, items: source.secret?.items },
      ]),
    ];
    for (const { kind, ref, name, items } of references) {
      if (!ref || ref.optional || !name) continue;
      const object = store.get(kind === "secret" ? secrets : configMaps, namespace, name);
      if (object === undefined) return failed(`${kind} "${name}" not found`);
      const data = { ...(object["data"] as object), ...(object["binaryData"] as object) };
      const missing = items?.find((item) => !(item.key in data));
      if (missing)
        return failed(`references non-existent ${kind === "secret" ? "secret" : "config"} key: ${missing.key}`);
    }
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName && !store.get(persistentVolumeClaims, namespace, claimName)) {
      return { message: `persistentvolumeclaim "${claimName}" not found` };
    }
  }
  return undefined;
}
