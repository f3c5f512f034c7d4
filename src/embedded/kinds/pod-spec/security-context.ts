import type { V1PodSecurityContext, V1SeccompProfile, V1SecurityContext } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { rangeMessage } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { descendingPath } from "./volumes.ts";

const maxId = 2 ** 31 - 1;

function id(value: number | undefined, at: string): FieldError[] {
  return value === undefined || (value >= 0 && value <= maxId)
    ? []
    : [fieldError.invalid(at, value, rangeMessage(0, maxId))];
}

/** A container's security context. */
export function validateSecurityContext(
  context: Wire<V1SecurityContext> | undefined,
  hostUsers: boolean,
  at: string,
): FieldError[] {
  if (!context) return [];
  const errors = [...id(context.runAsUser, `${at}.runAsUser`), ...id(context.runAsGroup, `${at}.runAsGroup`)];
  if (context.procMount !== undefined) {
    if (context.procMount !== "Default" && context.procMount !== "Unmasked") {
      errors.push(fieldError.notSupported(`${at}.procMount`, context.procMount, ["Default", "Unmasked"]));
    } else if (hostUsers && context.procMount === "Unmasked") {
      errors.push(
        fieldError.invalid(`${at}.procMount`, context.procMount, "`hostUsers` must be false to use `Unmasked`"),
      );
    }
  }
  errors.push(...seccomp(context.seccompProfile, `${at}.seccompProfile`));
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged) {
      errors.push(
        fieldError.invalid(
          at,
          internalSecurityContext(context),
          "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
        ),
      );
    }
    if (context.capabilities?.add?.includes("CAP_SYS_ADMIN")) {
      errors.push(
        fieldError.invalid(
          at,
          internalSecurityContext(context),
          "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
        ),
      );
    }
  }
  return errors;
}

/** A Pod's security context. */
export function validatePodSecurityContext(
  context: Wire<V1PodSecurityContext> | undefined,
  pod: { hostPID?: boolean; shareProcessNamespace?: boolean },
  at: string,
): FieldError[] {
  const errors = [
    ...id(context?.fsGroup, `${at}.fsGroup`),
    ...id(context?.runAsUser, `${at}.runAsUser`),
    ...id(context?.runAsGroup, `${at}.runAsGroup`),
    ...(context?.supplementalGroups ?? []).flatMap((g, i) => id(g, `${at}.supplementalGroups[${i}]`)),
  ];
  if (pod.shareProcessNamespace && pod.hostPID) {
    errors.push(
      fieldError.invalid(
        `${at}.shareProcessNamespace`,
        true,
        "ShareProcessNamespace and HostPID cannot both be enabled",
      ),
    );
  }
  const policy = context?.fsGroupChangePolicy;
  if (policy !== undefined && policy !== "OnRootMismatch" && policy !== "Always") {
    errors.push(fieldError.notSupported(`${at}.fsGroupChangePolicy`, policy, ["Always", "OnRootMismatch"]));
  }
  return [...errors, ...seccomp(context?.seccompProfile, `${at}.seccompProfile`)];
}

function seccomp(profile: Wire<V1SeccompProfile> | undefined, at: string): FieldError[] {
  if (!profile) return [];
  const types = ["Localhost", "RuntimeDefault", "Unconfined"];
  const errors: FieldError[] = [];
  if (!profile.type) errors.push(fieldError.required(`${at}.type`, "type is required when seccompProfile is set"));
  else if (!types.includes(profile.type)) errors.push(fieldError.notSupported(`${at}.type`, profile.type, types));
  const localhost = profile.localhostProfile;
  if (profile.type !== "Localhost") {
    if (localhost !== undefined) {
      errors.push(
        fieldError.invalid(
          `${at}.localhostProfile`,
          { Type: profile.type, LocalhostProfile: localhost },
          "can only be set when seccomp type is Localhost",
        ),
      );
    }
  } else if (localhost === undefined) {
    errors.push(fieldError.required(`${at}.localhostProfile`, "must be set when seccomp type is Localhost"));
  } else {
    errors.push(...descendingPath(localhost, `${at}.localhostProfile`));
  }
  return errors;
}

/** The server prints its internal form: Go's field names, and null for what is not set. */
function internalSecurityContext(context: Wire<V1SecurityContext>): unknown {
  const capabilities = context.capabilities && {
    Add: context.capabilities.add ?? null,
    Drop: context.capabilities.drop ?? null,
  };
  return {
    Capabilities: capabilities ?? null,
    Privileged: context.privileged ?? null,
    SELinuxOptions: context.seLinuxOptions ?? null,
    WindowsOptions: context.windowsOptions ?? null,
    RunAsUser: context.runAsUser ?? null,
    RunAsGroup: context.runAsGroup ?? null,
    RunAsNonRoot: context.runAsNonRoot ?? null,
    ReadOnlyRootFilesystem: context.readOnlyRootFilesystem ?? null,
    AllowPrivilegeEscalation: context.allowPrivilegeEscalation ?? null,
    ProcMount: context.procMount ?? null,
    SeccompProfile: context.seccompProfile ?? null,
    AppArmorProfile: context.appArmorProfile ?? null,
  };
}
