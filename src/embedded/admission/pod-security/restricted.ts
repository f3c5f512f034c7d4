import { procMount } from "./baseline.ts";
import {
  type Check,
  hasUserNamespace,
  isForWindows,
  named,
  plural,
  quoted,
  type Subject,
  setters,
  sorted,
  type Violation,
} from "./check.ts";

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/**
 * What the Restricted standard has beyond Baseline
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted), by rule.
 */
export const restricted: Record<string, Check> = {
  allowPrivilegeEscalation: {
    since: 8,
    find(subject) {
      const bad = subject.containers.filter((c) => c.securityContext?.allowPrivilegeEscalation !== false);
      if (isForWindows(subject) || bad.length === 0) return undefined;
      return {
        reason: "allowPrivilegeEscalation != false",
        detail: `${named(bad)} must set securityContext.allowPrivilegeEscalation=false`,
      };
    },
  },
  capabilities_restricted: { since: 22, instead: ["capabilities_baseline"], find: capabilities },
  procMount_restricted: { since: 35, instead: ["procMount"], find: procMount },
  restrictedVolumes: {
    since: 0,
    instead: ["hostPathVolumes"],
    find({ spec }) {
      const source = (volume: object) => Object.keys(volume).find((key) => key !== "name") ?? "unknown";
      const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.includes(source(volume)));
      if (bad.length === 0) return undefined;
      const types = sorted(bad.map(source));
      const who = `${plural("volume", bad.length)} ${quoted(bad.map((v) => v.name))} ${bad.length === 1 ? "uses" : "use"}`;
      return {
        reason: "restricted volume types",
        detail: `${who} ${plural("restricted volume type", types.length)} ${quoted(types)}`,
      };
    },
  },
  runAsNonRoot: { since: 0, find: (subject) => (hasUserNamespace(subject) ? undefined : nonRoot(subject)) },
  runAsUser: {
    since: 23,
    find(subject) {
      const { spec, containers } = subject;
      const who = setters(
        spec.securityContext?.runAsUser === 0,
        containers.filter((c) => c.securityContext?.runAsUser === 0),
      );
      if (hasUserNamespace(subject) || who === "") return undefined;
      return { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
    },
  },
  seccompProfile_restricted: {
    since: 19,
    instead: ["seccompProfile_baseline"],
    find: (subject) => (isForWindows(subject) ? undefined : seccomp(subject)),
  },
};

function capabilities(subject: Subject): Violation {
  if (isForWindows(subject)) return undefined;
  const { containers } = subject;
  const keeping = containers.filter((c) => !c.securityContext?.capabilities?.drop?.includes("ALL"));
  const added = (c: (typeof containers)[number]) =>
    (c.securityContext?.capabilities?.add ?? []).filter((name) => name !== "NET_BIND_SERVICE");
  const adding = containers.filter((c) => added(c).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const names = quoted(sorted(adding.flatMap(added)));
    details.push(`${named(adding)} must not include ${names} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function nonRoot({ spec, containers }: Subject): Violation {
  const reason = "runAsNonRoot != true";
  const ofPod = spec.securityContext?.runAsNonRoot;
  const who = setters(
    ofPod === false,
    containers.filter((c) => c.securityContext?.runAsNonRoot === false),
  );
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = containers.filter((c) => c.securityContext?.runAsNonRoot === undefined);
  if (ofPod === true || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named(silent)} must set securityContext.runAsNonRoot=true` };
}

function seccomp({ spec, containers }: Subject): Violation {
  const reason = "seccompProfile";
  const type = (c: { seccompProfile?: { type: string } } | undefined) => c?.seccompProfile?.type;
  const isBad = (t: string | undefined) => t !== undefined && t !== "Localhost" && t !== "RuntimeDefault";
  const ofPod = type(spec.securityContext);
  const bad = containers.filter((c) => isBad(type(c.securityContext)));
  const who = setters(isBad(ofPod), bad);
  if (who !== "") {
    const types = [...(isBad(ofPod) ? [ofPod!] : []), ...bad.map((c) => type(c.securityContext)!)];
    return { reason, detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}` };
  }
  const silent = containers.filter((c) => type(c.securityContext) === undefined);
  if (ofPod !== undefined || silent.length === 0) return undefined;
  const detail = `pod or ${named(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason, detail };
}
