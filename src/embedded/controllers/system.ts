import type { Timing } from "../kubelet/container/container-life.ts";
import { Kubelets } from "../kubelet/kubelets.ts";
import { Machines } from "../nodes/machines.ts";
import { Scheduler } from "../scheduler/scheduler.ts";
import { CertificateSigner, type SignCertificate } from "./certificates/certificate-signer.ts";
import { ClusterRoleAggregationController } from "./clusterrole-aggregation/clusterrole-aggregation-controller.ts";
import { EndpointsController } from "./endpoints/endpoints-controller.ts";
import { EndpointSliceController } from "./endpointslice/endpointslice-controller.ts";
import type { Controller } from "./framework/controller.ts";
import {
  type ContextFactory,
  controllerIdentity,
  controllerManagerIdentity,
  schedulerIdentity,
} from "./framework/identity.ts";
import type { ResourceCatalogue } from "./framework/resource-catalogue.ts";
import { GarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { NamespaceController } from "./namespace/namespace-controller.ts";
import { NodeLifecycleController, type NodeMonitorOptions } from "./node-lifecycle/node-lifecycle-controller.ts";
import { TaintEvictionController } from "./node-lifecycle/taint-eviction.ts";
import { PodGarbageCollector } from "./pod-gc/pod-gc-controller.ts";
import { RootCaPublisher } from "./root-ca/root-ca-publisher.ts";
import { ServiceAccountController } from "./service-account/service-account-controller.ts";
import { type IssueSecretToken, TokenSecretsController } from "./service-account/token-secrets-controller.ts";
import { LocalPathProvisioner } from "./volume/local-path-provisioner.ts";
import { PersistentVolumeController } from "./volume/persistent-volume-controller.ts";

export interface SystemOptions {
  /** What the cluster serves: the garbage collector and the namespace controller go through all of it. */
  catalogue: ResourceCatalogue;
  /** PEM, for kube-root-ca.crt in every namespace. */
  caCertificate: string;
  /** Fills Secrets with ServiceAccounts' tokens; absent: they stay empty. */
  issueSecretToken?: IssueSecretToken;
  /** Signs approved certificate requests; absent: they stay unsigned. */
  signCertificate?: SignCertificate;
  /** How long simulated machines take; default: quick but in order. */
  timing?: Timing;
  nodeMonitor?: NodeMonitorOptions;
}

/** The parts of the control plane that do not belong to one kind of workload, and the machines. */
export interface System {
  /** In the order to start them; stop them in reverse. */
  controllers: Controller[];
  machines: Machines;
  kubelets: Kubelets;
}

/**
 * Makes all system controllers, the scheduler, the kubelets and the machines. The namespaces `kube-system` and
 * `kube-node-lease` should exist before they are started. Nothing happens until then; machines are added afterwards by
 * `machines.addMachine`, those that the store knows come back by themselves.
 */
export function systemControllers(contextFor: ContextFactory, options: SystemOptions): System {
  const as = (name: string) => contextFor(controllerIdentity(name));
  const kubelets = new Kubelets(contextFor, options.timing);
  const machines = new Machines(contextFor, kubelets);
  return {
    machines,
    kubelets,
    controllers: [
      new GarbageCollector(as("generic-garbage-collector"), options.catalogue),
      new NamespaceController(as("namespace-controller"), options.catalogue),
      new ClusterRoleAggregationController(as("clusterrole-aggregation-controller")),
      new ServiceAccountController(as("service-account-controller")),
      ...(options.issueSecretToken === undefined
        ? []
        : [
            new TokenSecretsController(
              contextFor(controllerManagerIdentity),
              options.caCertificate,
              options.issueSecretToken,
            ),
          ]),
      ...(options.signCertificate === undefined
        ? []
        : [new CertificateSigner(as("certificate-controller"), options.signCertificate)]),
      new RootCaPublisher(as("root-ca-cert-publisher"), options.caCertificate),
      new NodeLifecycleController(as("node-controller"), options.nodeMonitor),
      new TaintEvictionController(as("node-controller")),
      new PodGarbageCollector(as("pod-garbage-collector")),
      new EndpointsController(as("endpoint-controller")),
      new EndpointSliceController(as("endpointslice-controller")),
      new PersistentVolumeController(as("persistent-volume-binder")),
      new LocalPathProvisioner(contextFor),
      new Scheduler(contextFor(schedulerIdentity)),
      kubelets,
      machines,
    ],
  };
}
