import type { Message } from "../../messages/catalogue.ts";

export type FindingState = "ok" | "warning" | "missing";

/** One line of `doctor`'s table. */
export interface Finding {
  id:
    | "node"
    | "kubectl"
    | "kubeconfig"
    | "home"
    | "embedded"
    | "engine"
    | "kind"
    | "memory"
    | "disk"
    | "inotify"
    | "cgroup"
    | "proxy";
  state: FindingState;
  detail: Message;
  /** The line that fixes it. */
  fix?: Message;
  /** What can't be done (or may fail) without it. */
  neededFor: "everything" | "embedded" | "kind";
}
