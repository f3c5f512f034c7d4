import type { KubeClient } from "../../client/index.ts";
import { PracticeError } from "../../messages/practice-error.ts";

/** Verbs on a resource that a task needs. */
export interface Permission {
  /** API group, `""` for the core one. */
  group: string;
  /** Plural, perhaps with a subresource: `pods`, `pods/log`. */
  resource: string;
  verbs: string[];
  /** True for resources outside namespaces, and for a namespaced one in all namespaces. */
  clusterWide?: boolean;
}

const EDIT = ["get", "list", "watch", "create", "update", "patch", "delete"];
const READ = ["get", "list", "watch"];

/** What every task needs: its namespace, the common workloads in it, and to see the nodes. */
export const commonPermissions: Permission[] = [
  { group: "", resource: "namespaces", verbs: ["get"], clusterWide: true },
  { group: "", resource: "nodes", verbs: ["get", "list"], clusterWide: true },
  { group: "", resource: "pods", verbs: EDIT },
  { group: "", resource: "events", verbs: ["list"] },
  { group: "", resource: "configmaps", verbs: EDIT },
  { group: "", resource: "services", verbs: EDIT },
  { group: "apps", resource: "daemonsets", verbs: EDIT },
  { group: "apps", resource: "deployments", verbs: EDIT },
  { group: "apps", resource: "replicasets", verbs: READ },
  { group: "apps", resource: "controllerrevisions", verbs: READ },
];

/** To make and remove the task's namespace, where nobody has made it for the learner. */
export const namespacePermissions: Permission[] = [
  { group: "", resource: "namespaces", verbs: ["create", "delete"], clusterWide: true },
];

/** To label and taint nodes. */
export const nodePermissions: Permission[] = [{ group: "", resource: "nodes", verbs: ["patch"], clusterWide: true }];

/**
 * Asks the API server which of the permissions we lack (SelfSubjectAccessReview, which everybody may create:
 * https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access). Each missing one reads
 * `patch nodes` or `create pods in namespace lab`.
 */
export async function missingPermissions(
  client: KubeClient,
  namespace: string,
  wanted: Permission[],
): Promise<string[]> {
  const questions = wanted.flatMap((permission) => permission.verbs.map((verb) => ({ ...permission, verb })));
  const answers = await Promise.all(
    questions.map(async ({ group, resource, verb, clusterWide }) => {
      const [name, subresource] = resource.split("/");
      const resourceAttributes = {
        group,
        resource: name,
        verb,
        ...(subresource === undefined ? {} : { subresource }),
        ...(clusterWide ? {} : { namespace }),
      };
      const review = await client.call<{ status?: { allowed?: boolean } }>({
        method: "POST",
        path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: { resourceAttributes } },
      });
      if (review.status?.allowed === true) return [];
      const full = group === "" ? resource : `${resource}.${group}`;
      return [`${verb} ${full}${clusterWide ? "" : ` in namespace ${namespace}`}`];
    }),
  );
  return answers.flat();
}

/** Throws PracticeError `clusters.context.permissions` listing what is missing, before anything is applied. */
export async function requirePermissions(
  client: KubeClient,
  context: string,
  namespace: string,
  wanted: Permission[],
): Promise<void> {
  const missing = await missingPermissions(client, namespace, wanted);
  if (missing.length === 0) return;
  const values = { context, count: missing.length };
  throw new PracticeError("environment", "clusters.context.permissions", values, { details: missing });
}
