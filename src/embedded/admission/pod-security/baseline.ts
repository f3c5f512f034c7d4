import type { V1SELinuxOptions } from "@kubernetes/client-node";
import type { Wire } from "../../api/object.ts";
import {
  type Check,
  hasUserNamespace,
  named,
  plural,
  quoted,
  type Subject,
  setters,
  sorted,
  type Violation,
} from "./check.ts";

const defaultCapabilities = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

/** Sysctls that are safe, with the version of the standard that began to say so. */
const safeSysctls: Record<string, number> = {
  "kernel.shm_rmid_forced": 0,
  "net.ipv4.ip_local_port_range": 0,
  "net.ipv4.tcp_syncookies": 0,
  "net.ipv4.ping_group_range": 0,
  "net.ipv4.ip_unprivileged_port_start": 0,
  "net.ipv4.ip_local_reserved_ports": 27,
  "net.ipv4.tcp_keepalive_time": 29,
  "net.ipv4.tcp_fin_timeout": 29,
  "net.ipv4.tcp_keepalive_intvl": 29,
  "net.ipv4.tcp_keepalive_probes": 29,
  "net.ipv4.tcp_rmem": 32,
  "net.ipv4.tcp_wmem": 32,
};

/** The Baseline standard (https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline), by rule. */
export const baseline: Record<string, Check> = {
  appArmorProfile: { since: 0, find: appArmor },
  capabilities_baseline: {
    since: 0,
    find({ containers }) {
      const added = (c: (typeof containers)[number]) =>
        (c.securityContext?.capabilities?.add ?? []).filter((name) => !defaultCapabilities.includes(name));
      const bad = containers.filter((c) => added(c).length > 0);
      if (bad.length === 0) return undefined;
      const names = quoted(sorted(bad.flatMap(added)));
      return {
        reason: "non-default capabilities",
        detail: `${named(bad)} must not include ${names} in securityContext.capabilities.add`,
      };
    },
  },
  hostNamespaces: {
    since: 0,
    find({ spec }) {
      const set = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field]);
      if (set.length === 0) return undefined;
      return { reason: "host namespaces", detail: set.map((field) => `${field}=true`).join(", ") };
    },
  },
  hostPathVolumes: {
    since: 0,
    find({ spec }) {
      const bad = (spec.volumes ?? []).filter((volume) => volume.hostPath).map((volume) => volume.name);
      if (bad.length === 0) return undefined;
      return { reason: "hostPath volumes", detail: `${plural("volume", bad.length)} ${quoted(bad)}` };
    },
  },
  hostPorts: {
    since: 0,
    find({ containers }) {
      const bad = containers.filter((c) => c.ports?.some((port) => port.hostPort));
      if (bad.length === 0) return undefined;
      const ports = sorted(
        bad.flatMap((c) => (c.ports ?? []).flatMap((p) => (p.hostPort ? [String(p.hostPort)] : []))),
      );
      const verb = bad.length === 1 ? "uses" : "use";
      return {
        reason: "hostPort",
        detail: `${named(bad)} ${verb} ${plural("hostPort", ports.length)} ${ports.join(", ")}`,
      };
    },
  },
  hostProbesAndHostLifecycle: { since: 34, find: hostsOfProbes },
  privileged: {
    since: 0,
    find({ containers }) {
      const bad = containers.filter((c) => c.securityContext?.privileged === true);
      if (bad.length === 0) return undefined;
      return { reason: "privileged", detail: `${named(bad)} must not set securityContext.privileged=true` };
    },
  },
  procMount: { since: 0, find: (subject) => (hasUserNamespace(subject) ? undefined : procMount(subject)) },
  seLinuxOptions: { since: 0, find: seLinux },
  seccompProfile_baseline: {
    since: 19,
    find({ spec, containers }) {
      const type = (c: { seccompProfile?: { type: string } } | undefined) => c?.seccompProfile?.type;
      const isBad = (t: string | undefined) => t !== undefined && t !== "Localhost" && t !== "RuntimeDefault";
      const ofPod = type(spec.securityContext);
      const bad = containers.filter((c) => isBad(type(c.securityContext)));
      const who = setters(isBad(ofPod), bad);
      if (who === "") return undefined;
      const types = [...(isBad(ofPod) ? [ofPod!] : []), ...bad.map((c) => type(c.securityContext)!)];
      const detail = `${who} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}`;
      return { reason: "seccompProfile", detail };
    },
  },
  sysctls: {
    since: 0,
    find({ spec, minor }) {
      const names = (spec.securityContext?.sysctls ?? []).map((sysctl) => sysctl.name);
      const bad = names.filter((name) => !((safeSysctls[name] ?? Number.POSITIVE_INFINITY) <= minor));
      return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
    },
  },
  windowsHostProcess: {
    since: 0,
    find({ spec, containers }) {
      const bad = containers.filter((c) => c.securityContext?.windowsOptions?.hostProcess);
      const who = setters(spec.securityContext?.windowsOptions?.hostProcess === true, bad);
      if (who === "") return undefined;
      return { reason: "hostProcess", detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
    },
  },
};

export function procMount({ containers }: Subject): Violation {
  const bad = containers.filter((c) => (c.securityContext?.procMount ?? "Default") !== "Default");
  if (bad.length === 0) return undefined;
  const types = quoted(sorted(bad.map((c) => c.securityContext!.procMount!)));
  return { reason: "procMount", detail: `${named(bad)} must not set securityContext.procMount to ${types}` };
}

function appArmor({ metadata, spec, containers }: Subject): Violation {
  const prefix = "container.apparmor.security.beta.kubernetes.io/";
  const type = (c: { appArmorProfile?: { type: string } } | undefined) => c?.appArmorProfile?.type;
  const isBad = (t: string | undefined) => t !== undefined && t !== "RuntimeDefault" && t !== "Localhost";
  const ofPod = type(spec.securityContext);
  const bad = containers.filter((c) => isBad(type(c.securityContext)));
  const values = sorted([...(isBad(ofPod) ? [ofPod!] : []), ...bad.map((c) => type(c.securityContext)!)]);
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(prefix) && !/^($|runtime\/default$|localhost\/)/.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const who = setters(isBad(ofPod), bad);
  const all = [
    ...(who === "" ? [] : [who]),
    ...(annotations.length > 0 ? [plural("annotation", annotations.length)] : []),
  ];
  if (all.length === 0) return undefined;
  const profiles = [...values, ...annotations];
  return {
    reason: plural("forbidden AppArmor profile", profiles.length),
    detail: `${all.join(" and ")} must not set AppArmor profile type to ${quoted(profiles)}`,
  };
}

function hostsOfProbes({ containers }: Subject): Violation {
  const hosts = (c: (typeof containers)[number]) =>
    [c.livenessProbe, c.readinessProbe, c.startupProbe, c.lifecycle?.postStart, c.lifecycle?.preStop].flatMap(
      (action) => [action?.httpGet?.host, action?.tcpSocket?.host].filter((host): host is string => Boolean(host)),
    );
  const bad = containers.filter((c) => hosts(c).length > 0);
  if (bad.length === 0) return undefined;
  const all = sorted(bad.flatMap(hosts));
  const names = sorted(bad.map((c) => c.name));
  const who = `${plural("container", names.length)} ${quoted(names)} ${names.length === 1 ? "uses" : "use"}`;
  const detail = `${who} ${plural("probe or lifecycle host", all.length)} ${quoted(all)}`;
  return { reason: "probe or lifecycle host", detail };
}

function seLinux({ spec, containers, minor }: Subject): Violation {
  const types = [
    "",
    "container_t",
    "container_init_t",
    "container_kvm_t",
    ...(minor >= 31 ? ["container_engine_t"] : []),
  ];
  const isBad = (options: Wire<V1SELinuxOptions> | undefined) =>
    options !== undefined && (!types.includes(options.type ?? "") || Boolean(options.user) || Boolean(options.role));
  const ofPod = spec.securityContext?.seLinuxOptions;
  const bad = containers.filter((c) => isBad(c.securityContext?.seLinuxOptions));
  const who = setters(isBad(ofPod), bad);
  if (who === "") return undefined;
  const all = [...(isBad(ofPod) ? [ofPod!] : []), ...bad.map((c) => c.securityContext!.seLinuxOptions!)];
  const badTypes = sorted(all.map((options) => options.type ?? "").filter((type) => !types.includes(type)));
  const what = [
    ...(badTypes.length > 0 ? [`${plural("type", badTypes.length)} ${quoted(badTypes)}`] : []),
    ...(all.some((options) => options.user) ? ["user may not be set"] : []),
    ...(all.some((options) => options.role) ? ["role may not be set"] : []),
  ];
  return {
    reason: "seLinuxOptions",
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`,
  };
}
