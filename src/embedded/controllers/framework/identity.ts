import type { UserInfo } from "../../registry/api.ts";
import type { ControllerContext } from "./controller.ts";

/** Who a part of the control plane is to the API server, and the user agent it gives. */
export interface Identity {
  user: UserInfo;
  userAgent: string;
  /** The manager in managedFields: the program's name. */
  fieldManager: string;
}

/** Makes the context in which a component with this identity works. */
export type ContextFactory = (identity: Identity) => ControllerContext;

/** A controller of kube-controller-manager, which acts by a ServiceAccount of its own (`--use-service-account-credentials`). */
export function controllerIdentity(name: string): Identity {
  return {
    user: {
      username: `system:serviceaccount:kube-system:${name}`,
      groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
    },
    userAgent: `kube-controller-manager/v1.36.2 (linux/amd64) kubernetes/system:serviceaccount:kube-system:${name}`,
    fieldManager: "kube-controller-manager",
  };
}

/** The controllers of kube-controller-manager that have no ServiceAccount of their own. */
export const controllerManagerIdentity: Identity = {
  user: { username: "system:kube-controller-manager", groups: ["system:authenticated"] },
  userAgent: "kube-controller-manager/v1.36.2 (linux/amd64) kubernetes",
  fieldManager: "kube-controller-manager",
};

export const schedulerIdentity: Identity = {
  user: { username: "system:kube-scheduler", groups: ["system:authenticated"] },
  userAgent: "kube-scheduler/v1.36.2 (linux/amd64) kubernetes/scheduler",
  fieldManager: "kube-scheduler",
};

/** The kubelets of all nodes; each writes only about its own node and Pods. */
export function kubeletIdentity(node: string): Identity {
  return {
    user: { username: `system:node:${node}`, groups: ["system:nodes", "system:authenticated"] },
    userAgent: "kubelet/v1.36.2 (linux/amd64) kubernetes",
    fieldManager: "kubelet",
  };
}
