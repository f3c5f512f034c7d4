import type { RequestContext } from "../api.ts";
import type { Registry } from "../registry.ts";

const as: RequestContext = {
  user: { username: "system:apiserver", groups: ["system:masters"] },
  fieldManager: "kube-apiserver",
};

/** What every cluster has before anyone asks: namespaces, priority classes, the API server's own Service. Idempotent. */
export function createSystemObjects(api: Registry): void {
  for (const name of ["kube-system", "kube-public", "kube-node-lease", "default"]) {
    ensure(api, { group: "", resource: "namespaces", name }, { metadata: { name } });
  }
  const priorityClasses = { group: "scheduling.k8s.io", resource: "priorityclasses" };
  for (const [name, value, description] of [
    [
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ],
    [
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ],
  ] as const) {
    ensure(api, { ...priorityClasses, name }, { metadata: { name }, value, description });
  }
  // The class that kind has as well: a directory of the node where the Pod will run.
  ensure(
    api,
    { group: "storage.k8s.io", resource: "storageclasses", name: "standard" },
    {
      metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "rancher.io/local-path",
      reclaimPolicy: "Delete",
      volumeBindingMode: "WaitForFirstConsumer",
    },
  );
  ensure(
    api,
    { group: "", resource: "services", namespace: "default", name: "kubernetes" },
    {
      metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
      spec: {
        clusterIP: "10.96.0.1",
        ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
        type: "ClusterIP",
      },
    },
  );
}

function ensure(
  api: Registry,
  target: { group: string; resource: string; namespace?: string; name: string },
  body: unknown,
): void {
  const { name, ...collection } = target;
  const { storage } = api.definition(target);
  if (api.core.store.get(storage, target.namespace ?? "", name) === undefined)
    api.create(collection, body, { ...as, warnings: [] });
}
