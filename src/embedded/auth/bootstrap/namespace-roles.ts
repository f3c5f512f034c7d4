const events = "create,patch,update core,events events";

/** A role of one namespace, and who has it: `User NAME`, `ServiceAccount NAME` (of kube-system). */
export interface NamespaceRole {
  namespace: string;
  name: string;
  rules: string;
  /** The binding's name; the role's own if absent. */
  binding?: string;
  subjects: string[];
}

/** Roles inside kube-system and kube-public (rule-text.ts). */
export const namespaceRoles: NamespaceRole[] = [
  {
    namespace: "kube-system",
    name: "extension-apiserver-authentication-reader",
    rules: "read core configmaps extension-apiserver-authentication",
    binding: "system::extension-apiserver-authentication-reader",
    subjects: ["User system:kube-controller-manager", "User system:kube-scheduler"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:bootstrap-signer",
    rules: "read core secrets",
    subjects: ["ServiceAccount bootstrap-signer"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:cloud-provider",
    rules: "create,read core configmaps",
    subjects: ["ServiceAccount cloud-provider"],
  },
  {
    namespace: "kube-system",
    name: "system:controller:token-cleaner",
    rules: `delete,read core secrets
      ${events}`,
    subjects: ["ServiceAccount token-cleaner"],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-controller-manager",
    rules: `watch core configmaps
      get,update core configmaps kube-controller-manager`,
    subjects: ["User system:kube-controller-manager", "ServiceAccount kube-controller-manager"],
  },
  {
    namespace: "kube-system",
    name: "system::leader-locking-kube-scheduler",
    rules: `watch core configmaps
      get,update core configmaps kube-scheduler`,
    subjects: ["User system:kube-scheduler", "ServiceAccount kube-scheduler"],
  },
  {
    namespace: "kube-public",
    name: "system:controller:bootstrap-signer",
    rules: `read core configmaps
      update core configmaps cluster-info
      ${events}`,
    subjects: ["ServiceAccount bootstrap-signer"],
  },
];
