import { CronJobController } from "./cronjob/cronjob-controller.ts";
import { DaemonSetController } from "./daemonset/daemonset-controller.ts";
import { DeploymentController } from "./deployment/deployment-controller.ts";
import { DisruptionController } from "./disruption/disruption-controller.ts";
import type { Controller } from "./framework/controller.ts";
import { type ContextFactory, controllerIdentity } from "./framework/identity.ts";
import { HorizontalPodAutoscalerController } from "./horizontal-pod-autoscaler/horizontal-pod-autoscaler-controller.ts";
import { JobController } from "./job/job-controller.ts";
import { ReplicaSetController } from "./replicaset/replicaset-controller.ts";
import { ResourceQuotaController } from "./resource-quota/resource-quota-controller.ts";
import { StatefulSetController } from "./statefulset/statefulset-controller.ts";
import { TtlAfterFinishedController } from "./ttl-after-finished/ttl-after-finished-controller.ts";

/** The controllers that make and keep Pods, each with an identity of its own. */
export function workloadControllers(contextFor: ContextFactory): Controller[] {
  return [
    new DaemonSetController(contextFor(controllerIdentity("daemon-set-controller"))),
    new ReplicaSetController(contextFor(controllerIdentity("replicaset-controller"))),
    new ReplicaSetController(contextFor(controllerIdentity("replication-controller")), "ReplicationController"),
    new DeploymentController(contextFor(controllerIdentity("deployment-controller"))),
    new StatefulSetController(contextFor(controllerIdentity("statefulset-controller"))),
    new JobController(contextFor(controllerIdentity("job-controller"))),
    new CronJobController(contextFor(controllerIdentity("cronjob-controller"))),
    new TtlAfterFinishedController(contextFor(controllerIdentity("ttl-after-finished-controller"))),
    new DisruptionController(contextFor(controllerIdentity("disruption-controller"))),
    new HorizontalPodAutoscalerController(contextFor(controllerIdentity("horizontal-pod-autoscaler"))),
    new ResourceQuotaController(contextFor(controllerIdentity("resourcequota-controller"))),
  ];
}
