import { type FieldError, fieldError } from "../../api/field-error.ts";
import { type Level, levels, type Standard } from "./standard.ts";

/** What a namespace's labels ask for. */
export interface Policy {
  enforce: Standard;
  audit: Standard;
  warn: Standard;
}

const prefix = "pod-security.kubernetes.io/";

/**
 * Reads a namespace's labels (https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces).
 * Without any, everything is allowed. A warning comes by itself where something is enforced.
 */
export function policyOf(labels: Record<string, string> | undefined): { policy: Policy; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const read = (mode: string, onError: Level): Standard & { hasLevel: boolean; hasVersion: boolean } => {
    const level = labels?.[prefix + mode];
    const version = labels?.[`${prefix}${mode}-version`];
    const isLevel = level === undefined || (levels as readonly string[]).includes(level);
    const isVersion = version === undefined || version === "latest" || /^v1\.([0-9]|[1-9][0-9]*)$/.test(version);
    if (!isLevel) errors.push(wrong(mode, level, `must be one of ${levels.join(", ")}`));
    if (!isVersion) errors.push(wrong(`${mode}-version`, version, 'must be "latest" or "v1.x"'));
    return {
      level: !isLevel ? onError : ((level ?? "privileged") as Level),
      version: isVersion ? (version ?? "latest") : "latest",
      hasLevel: level !== undefined && isLevel,
      hasVersion: version !== undefined,
    };
  };
  const enforce = read("enforce", "restricted");
  const audit = read("audit", "privileged");
  const warn = read("warn", "privileged");
  const saysNothing = labels?.[`${prefix}warn`] === undefined;
  if (saysNothing && enforce.hasLevel && strictness(enforce.level) > strictness(warn.level)) {
    warn.level = enforce.level;
    if (!warn.hasVersion) warn.version = enforce.version;
  }
  const plain = ({ level, version }: Standard): Standard => ({ level, version });
  return { policy: { enforce: plain(enforce), audit: plain(audit), warn: plain(warn) }, errors };
}

export function strictness(level: Level): number {
  return levels.indexOf(level);
}

function wrong(label: string, value: string, why: string): FieldError {
  return fieldError.invalid(`metadata.labels[${prefix}${label}]`, value, why);
}
