import { apiError } from "../api/api-error.ts";
import type { AdmissionPlugin } from "../registry/core.ts";
import { randomSuffix } from "../registry/generate-name.ts";
import { createdPod, nameInMessages, type Pod } from "./pod-request.ts";

const accounts = { group: "", resource: "serviceaccounts" };
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Gives a Pod its ServiceAccount and, unless it is refused, the account's token as a volume (ServiceAccount). */
export const serviceAccount: AdmissionPlugin = {
  name: "ServiceAccount",
  mutate(request, { store }) {
    const pod = createdPod(request);
    if (pod?.spec === undefined) return;
    const { spec } = pod;
    if (pod.metadata.annotations?.["kubernetes.io/config.mirror"] !== undefined) return;
    spec.serviceAccountName ||= "default";
    spec.serviceAccount = spec.serviceAccountName;
    const namespace = pod.metadata.namespace ?? "";
    const account = store.get(accounts, namespace, spec.serviceAccountName);
    if (account === undefined) {
      throw apiError.forbidden(
        { group: "", resource: "pods" },
        nameInMessages(pod),
        `error looking up service account ${namespace}/${spec.serviceAccountName}: serviceaccount ${JSON.stringify(spec.serviceAccountName)} not found`,
      );
    }
    if (spec.automountServiceAccountToken ?? account["automountServiceAccountToken"] ?? true) mountToken(pod);
    const secrets = account["imagePullSecrets"] as { name: string }[] | undefined;
    if ((spec.imagePullSecrets?.length ?? 0) === 0 && secrets?.length) spec.imagePullSecrets = secrets;
  },
};

function mountToken({ spec }: Pod): void {
  const containers = [...(spec!.initContainers ?? []), ...(spec!.containers ?? [])];
  const wanting = containers.filter((c) => !c.volumeMounts?.some((mount) => mount.mountPath === mountPath));
  if (wanting.length === 0) return;
  const name = `kube-api-access-${randomSuffix()}`;
  for (const container of wanting)
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
  spec!.volumes = [
    ...(spec!.volumes ?? []),
    {
      name,
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
          { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
          {
            downwardAPI: {
              items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
            },
          },
        ],
      },
    },
  ];
}
