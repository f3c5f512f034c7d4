import type { V1ClusterRole, V1PolicyRule } from "@kubernetes/client-node";
import { matchesLabelSelector } from "../../api/label-selector.ts";
import { equal, type KubeObject, type Wire } from "../../api/object.ts";
import { type Controller, type ControllerContext, observe } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { WorkQueue } from "../framework/work-queue.ts";

type ClusterRole = KubeObject & Wire<V1ClusterRole>;
type Rule = Wire<V1PolicyRule>;

const clusterRoles = { group: "rbac.authorization.k8s.io", resource: "clusterroles" };

/**
 * Fills ClusterRoles that have an aggregationRule with the rules of the roles it selects
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles).
 */
export class ClusterRoleAggregationController implements Controller {
  readonly name = "clusterrole-aggregation-controller";
  private readonly queue: WorkQueue;
  private stopWatching = () => {};

  constructor(private readonly context: ControllerContext) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`aggregated role ${key}: ${error}`),
    );
  }

  start(): void {
    this.stopWatching = observe(this.context.store, clusterRoles, () => {
      for (const role of this.all()) if (role.aggregationRule !== undefined) this.queue.add(role.metadata.name!);
    });
  }

  stop(): void {
    this.stopWatching();
    this.queue.stop();
  }

  private all(): readonly ClusterRole[] {
    return this.context.store.list(clusterRoles) as readonly ClusterRole[];
  }

  private sync(name: string): void {
    const { store, api, as } = this.context;
    const role = store.get(clusterRoles, "", name) as ClusterRole | undefined;
    const selectors = role?.aggregationRule?.clusterRoleSelectors;
    if (role === undefined || selectors === undefined) return;
    const rules: Rule[] = [];
    for (const source of this.all()) {
      if (source.metadata.name === name) continue;
      if (!selectors.some((selector) => matchesLabelSelector(selector, source.metadata.labels))) continue;
      for (const rule of source.rules ?? []) if (!rules.some((known) => equal(known, rule))) rules.push(rule);
    }
    if (equal(role.rules ?? [], rules)) return;
    unless(["NotFound", "Conflict"], () => api.update({ ...clusterRoles, name }, { ...role, rules }, as));
  }
}
