import { ApiError, apiError } from "../api/api-error.ts";
import type { AdmissionPlugin } from "../registry/core.ts";

const namespaces = { group: "", resource: "namespaces" };
const immortal = ["default", "kube-system", "kube-public"];

/** Nothing is made in a namespace that is not there or is going; some namespaces never go (NamespaceLifecycle). */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  mutate({ operation, definition, target, object }, { store }) {
    if (operation !== "CREATE" || !definition.info.namespaced) return;
    const name = target.namespace ?? "";
    const namespace = store.get(namespaces, "", name);
    if (namespace === undefined) throw apiError.notFound(namespaces, name);
    if ((namespace["status"] as { phase?: string } | undefined)?.phase !== "Terminating") return;
    const error = apiError.forbidden(
      definition.info,
      object?.metadata.name ?? "",
      `unable to create new content in namespace ${name} because it is being terminated`,
    );
    const details = error.status.details!;
    details.causes = [
      { reason: "NamespaceTerminating", message: `namespace ${name} is being terminated`, field: "metadata.namespace" },
    ];
    throw error;
  },
  validate({ operation, definition, target }) {
    const { group, resource } = definition.info;
    if (operation !== "DELETE" || group !== "" || resource !== "namespaces") return;
    if (immortal.includes(target.name ?? "")) {
      throw new ApiError(
        403,
        "Forbidden",
        `namespaces ${JSON.stringify(target.name)} is forbidden: this namespace may not be deleted`,
        {
          name: target.name,
          kind: "namespaces",
        },
      );
    }
  },
};
