import type {
  V1Container,
  V1EphemeralContainer,
  V1LifecycleHandler,
  V1PodSpec,
  V1Probe,
  V1ResourceRequirements,
  V1Volume,
} from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import { imageTag } from "./image.ts";

type PodSpec = Wire<V1PodSpec>;
type Container = Wire<V1Container>;

const defaultFileMode = 0o644;

/** Sets what a Pod's or a template's spec gets by default (pkg/apis/core/v1/defaults.go). */
export function applyPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  // The two names of one field go together.
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else if (spec.serviceAccount) spec.serviceAccountName = spec.serviceAccount;
  for (const volume of spec.volumes ?? []) applyVolumeDefaults(volume);
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    applyContainerDefaults(container);
  }
  for (const container of spec.ephemeralContainers ?? []) applyContainerDefaults(container);
}

/** What a Pod gets beyond its template: requests from limits, environment variables of Services, host ports. */
export function applyPodOnlyDefaults(spec: PodSpec): void {
  spec.enableServiceLinks ??= true;
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    requestsFromLimits(container.resources);
    if (spec.hostNetwork) for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
  requestsFromLimits(spec.resources);
}

function requestsFromLimits(resources: Wire<V1ResourceRequirements> | undefined): void {
  if (!resources?.limits) return;
  const requests = resources.requests ?? {};
  for (const [name, limit] of Object.entries(resources.limits)) requests[name] ??= limit;
  resources.requests = requests;
}

function applyContainerDefaults(container: Container | Wire<V1EphemeralContainer>): void {
  container.imagePullPolicy ||= imageTag(container.image ?? "") === "latest" ? "Always" : "IfNotPresent";
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  container.resources ??= {};
  for (const port of container.ports ?? []) port.protocol ||= "TCP";
  for (const variable of container.env ?? []) {
    const fieldRef = variable.valueFrom?.fieldRef;
    if (fieldRef) fieldRef.apiVersion ||= "v1";
    const resourceRef = variable.valueFrom?.resourceFieldRef;
    if (resourceRef) resourceRef.divisor ||= "0";
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
    if (probe) applyProbeDefaults(probe);
  }
  applyHandlerDefaults(container.lifecycle?.postStart);
  applyHandlerDefaults(container.lifecycle?.preStop);
}

function applyProbeDefaults(probe: Wire<V1Probe>): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.grpc) probe.grpc.service ??= "";
  applyHandlerDefaults(probe);
}

function applyHandlerDefaults(handler: Pick<Wire<V1LifecycleHandler>, "httpGet"> | undefined): void {
  if (!handler?.httpGet) return;
  handler.httpGet.path ||= "/";
  handler.httpGet.scheme ||= "HTTP";
}

function applyVolumeDefaults(volume: Wire<V1Volume>): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  if (volume.secret) volume.secret.defaultMode ??= defaultFileMode;
  if (volume.configMap) volume.configMap.defaultMode ??= defaultFileMode;
  if (volume.hostPath) volume.hostPath.type ??= "";
  if (volume.downwardAPI) {
    volume.downwardAPI.defaultMode ??= defaultFileMode;
    for (const item of volume.downwardAPI.items ?? []) if (item.fieldRef) item.fieldRef.apiVersion ||= "v1";
  }
  if (volume.projected) {
    volume.projected.defaultMode ??= defaultFileMode;
    for (const source of volume.projected.sources ?? []) {
      if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
      for (const item of source.downwardAPI?.items ?? []) if (item.fieldRef) item.fieldRef.apiVersion ||= "v1";
    }
  }
  if (volume.iscsi) volume.iscsi.iscsiInterface ||= "default";
  if (volume.rbd) {
    volume.rbd.pool ||= "rbd";
    volume.rbd.user ||= "admin";
    volume.rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (volume.image) {
    volume.image.pullPolicy ||= imageTag(volume.image.reference ?? "") === "latest" ? "Always" : "IfNotPresent";
  }
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim) claim.volumeMode ||= "Filesystem";
}
