import type { V1Container, V1Volume } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import type { Wire } from "../../api/object.ts";
import { descendingPath } from "./volumes.ts";

type Container = Pick<Wire<V1Container>, "volumeMounts" | "volumeDevices" | "securityContext">;
export type Volumes = ReadonlyMap<string, Wire<V1Volume>>;

const propagations = ["Bidirectional", "HostToContainer", "None"];

/** Where a container sees the Pod's volumes. Paths of subPath and mountPropagation lack the index, as the server's do. */
export function validateVolumeMounts(container: Container, volumes: Volumes, path: string): FieldError[] {
  const devices = container.volumeDevices ?? [];
  const seen = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, i) => {
    const at = `${path}[${i}]`;
    const errors: FieldError[] = [];
    if (!mount.name) errors.push(fieldError.required(`${at}.name`));
    if (!volumes.has(mount.name)) errors.push(fieldError.notFound(`${at}.name`, mount.name ?? ""));
    if (!mount.mountPath) errors.push(fieldError.required(`${at}.mountPath`));
    if (seen.has(mount.mountPath))
      errors.push(fieldError.invalid(`${at}.mountPath`, mount.mountPath, "must be unique"));
    seen.add(mount.mountPath);
    if (devices.some((d) => d.name === mount.name)) {
      errors.push(fieldError.invalid(`${at}.name`, mount.name, "must not already exist in volumeDevices"));
    }
    if (devices.some((d) => d.devicePath === mount.mountPath)) {
      errors.push(
        fieldError.invalid(`${at}.mountPath`, mount.mountPath, "must not already exist as a path in volumeDevices"),
      );
    }
    if (mount.subPath) errors.push(...descendingPath(mount.subPath, `${path}.subPath`));
    if (mount.subPathExpr) {
      if (mount.subPath) {
        errors.push(
          fieldError.invalid(`${at}.subPathExpr`, mount.subPathExpr, "subPathExpr and subPath are mutually exclusive"),
        );
      }
      errors.push(...descendingPath(mount.subPathExpr, `${path}.subPathExpr`));
    }
    return [...errors, ...propagation(mount.mountPropagation, container, `${path}.mountPropagation`)];
  });
}

function propagation(mode: string | undefined, container: Container, at: string): FieldError[] {
  if (mode === undefined) return [];
  if (!propagations.includes(mode)) return [fieldError.notSupported(at, mode, propagations)];
  return mode === "Bidirectional" && !container.securityContext?.privileged
    ? [fieldError.forbidden(at, "Bidirectional mount propagation is available only to privileged containers")]
    : [];
}

/** Volumes that a container uses as raw block devices. */
export function validateVolumeDevices(container: Container, volumes: Volumes, path: string): FieldError[] {
  const mounts = container.volumeMounts ?? [];
  const names = new Set<string>();
  const paths = new Set<string>();
  return (container.volumeDevices ?? []).flatMap(({ name, devicePath }, i) => {
    const at = `${path}[${i}]`;
    const errors: FieldError[] = [];
    const volume = volumes.get(name);
    if (!name) errors.push(fieldError.required(`${at}.name`));
    if (names.has(name)) errors.push(fieldError.invalid(`${at}.name`, name, "must be unique"));
    if (!volume) errors.push(fieldError.notFound(`${at}.name`, name ?? ""));
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      errors.push(
        fieldError.invalid(
          `${at}.name`,
          name,
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
        ),
      );
    }
    if (!devicePath) errors.push(fieldError.required(`${at}.devicePath`));
    if (paths.has(devicePath)) errors.push(fieldError.invalid(`${at}.devicePath`, devicePath, "must be unique"));
    if (mounts.some((m) => m.name === name)) {
      errors.push(fieldError.invalid(`${at}.name`, name, "must not already exist in volumeMounts"));
    }
    names.add(name);
    paths.add(devicePath);
    return errors;
  });
}
