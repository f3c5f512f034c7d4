import type { V1DownwardAPIVolumeFile, V1KeyToPath, V1Volume } from "@kubernetes/client-node";
import { type FieldError, fieldError } from "../../api/field-error.ts";
import { dns1123LabelErrors } from "../../api/names.ts";
import type { Wire } from "../../api/object.ts";
import { parseQuantity } from "../../api/quantity.ts";
import { named } from "../fields/names.ts";
import { validateFieldRef, validateResourceFieldRef, volumeFieldPaths } from "./environment.ts";

type Volume = Wire<V1Volume>;

/** In the order in which the server looks at a volume's sources. */
const volumeTypes = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
] as const;

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** The volumes of a Pod; `valid` holds the names that a container may mount. */
export function validateVolumes(
  volumes: Volume[] | undefined,
  path: string,
): { errors: FieldError[]; valid: Map<string, Volume> } {
  const errors: FieldError[] = [];
  const valid = new Map<string, Volume>();
  for (const [i, volume] of (volumes ?? []).entries()) {
    const at = `${path}[${i}]`;
    const found = validateSource(volume, at);
    if (volume.name) found.push(...named(volume.name, `${at}.name`, dns1123LabelErrors));
    else found.push(fieldError.required(`${at}.name`));
    if (valid.has(volume.name)) found.push(fieldError.duplicate(`${at}.name`, volume.name));
    if (found.length === 0) valid.set(volume.name, volume);
    errors.push(...found);
  }
  return { errors, valid };
}

function validateSource(volume: Volume, at: string): FieldError[] {
  const given = volumeTypes.filter((type) => volume[type] !== undefined);
  if (given.length === 0) return [fieldError.required(at, "must specify a volume type")];
  return given.flatMap((type, i) =>
    i === 0
      ? validateOneSource(volume, type, `${at}.${type}`)
      : [fieldError.forbidden(`${at}.${type}`, "may not specify more than 1 volume type")],
  );
}

function validateOneSource(volume: Volume, type: (typeof volumeTypes)[number], at: string): FieldError[] {
  switch (type) {
    case "emptyDir": {
      const limit = volume.emptyDir?.sizeLimit;
      return limit !== undefined && parseQuantity(limit).nano < 0n
        ? [fieldError.forbidden(`${at}.sizeLimit`, "SizeLimit field must be a valid resource quantity")]
        : [];
    }
    case "hostPath": {
      const { path = "", type: kind = "" } = volume.hostPath ?? {};
      if (path === "") return [fieldError.required(`${at}.path`)];
      return [
        ...noBacksteps(path, `${at}.path`),
        ...(hostPathTypes.includes(kind) ? [] : [fieldError.notSupported(`${at}.type`, kind, hostPathTypes)]),
      ];
    }
    case "secret":
      return [...required(volume.secret?.secretName, `${at}.secretName`), ...fileSet(volume.secret, at)];
    case "configMap":
      return [...required(volume.configMap?.name, `${at}.name`), ...fileSet(volume.configMap, at)];
    case "persistentVolumeClaim":
      return required(volume.persistentVolumeClaim?.claimName, `${at}.claimName`);
    case "nfs":
      return [
        ...required(volume.nfs?.server, `${at}.server`),
        ...required(volume.nfs?.path, `${at}.path`),
        ...(volume.nfs?.path && !volume.nfs.path.startsWith("/")
          ? [fieldError.invalid(`${at}.path`, volume.nfs.path, "must be an absolute path")]
          : []),
      ];
    case "gitRepo":
      return required(volume.gitRepo?.repository, `${at}.repository`);
    case "csi":
      return required(volume.csi?.driver, `${at}.driver`);
    case "image":
      return required(volume.image?.reference, `${at}.reference`);
    case "ephemeral":
      return volume.ephemeral?.volumeClaimTemplate ? [] : [fieldError.required(`${at}.volumeClaimTemplate`)];
    case "downwardAPI":
      return [
        ...fileMode(volume.downwardAPI?.defaultMode, `${at}.defaultMode`),
        ...(volume.downwardAPI?.items ?? []).flatMap((item) => downwardFile(item, at)),
      ];
    case "projected":
      return validateProjected(volume, at);
    default:
      return [];
  }
}

function validateProjected(volume: Volume, at: string): FieldError[] {
  const projected = volume.projected ?? {};
  const errors = fileMode(projected.defaultMode, `${at}.defaultMode`);
  const paths = new Set<string>();
  const claim = (path: string | undefined, shownAs: string): void => {
    if (!path) return;
    if (paths.has(path)) errors.push(fieldError.invalid(at, shownAs, "conflicting duplicate paths"));
    paths.add(path);
  };
  for (const [i, source] of (projected.sources ?? []).entries()) {
    const sourceAt = `${at}.sources[${i}]`;
    for (const kind of ["secret", "configMap"] as const) {
      const files = source[kind];
      if (!files) continue;
      errors.push(...required(files.name, `${sourceAt}.${kind}.name`));
      for (const [j, item] of (files.items ?? []).entries()) {
        errors.push(...keyToPath(item, `${sourceAt}.${kind}.items[${j}]`));
        claim(item.path, files.name ?? "");
      }
    }
    for (const item of source.downwardAPI?.items ?? []) {
      errors.push(...downwardFile(item, `${sourceAt}.downwardAPI`));
      claim(item.path, item.path);
    }
    const token = source.serviceAccountToken;
    if (token) {
      const seconds = token.expirationSeconds ?? 3600;
      const expirationAt = `${sourceAt}.serviceAccountToken.expirationSeconds`;
      if (seconds < 600) {
        errors.push(fieldError.invalid(expirationAt, seconds, "may not specify a duration less than 10 minutes"));
      }
      if (seconds > 2 ** 32) {
        errors.push(fieldError.invalid(expirationAt, seconds, "may not specify a duration larger than 2^32 seconds"));
      }
      errors.push(...(token.path ? localPath(token.path, `${at}.path`) : [fieldError.required(`${at}.path`)]));
    }
    if (Object.values(source).filter((s) => s !== undefined).length > 1) {
      errors.push(fieldError.forbidden(sourceAt, "may not specify more than 1 volume type per source"));
    }
  }
  return errors;
}

function downwardFile(file: Wire<V1DownwardAPIVolumeFile>, at: string): FieldError[] {
  const errors = file.path ? localPath(file.path, `${at}.path`) : [fieldError.required(`${at}.path`)];
  if (file.fieldRef) {
    errors.push(...validateFieldRef(file.fieldRef, volumeFieldPaths, `${at}.fieldRef`));
    if (file.resourceFieldRef) {
      errors.push(
        fieldError.invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"),
      );
    }
  } else if (file.resourceFieldRef) {
    errors.push(...validateResourceFieldRef(file.resourceFieldRef, true, `${at}.resourceFieldRef`));
  } else {
    errors.push(fieldError.required(at, "one of fieldRef and resourceFieldRef is required"));
  }
  return [...errors, ...fileMode(file.mode, `${at}.mode`)];
}

function fileSet(source: { defaultMode?: number; items?: Wire<V1KeyToPath>[] } | undefined, at: string): FieldError[] {
  return [
    ...fileMode(source?.defaultMode, `${at}.defaultMode`),
    ...(source?.items ?? []).flatMap((item, i) => keyToPath(item, `${at}.items[${i}]`)),
  ];
}

function keyToPath(item: Wire<V1KeyToPath>, at: string): FieldError[] {
  return [
    ...required(item.key, `${at}.key`),
    ...required(item.path, `${at}.path`),
    ...localPath(item.path ?? "", `${at}.path`),
    ...fileMode(item.mode, `${at}.mode`),
  ];
}

function fileMode(mode: number | undefined, at: string): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= 0o777)
    ? []
    : [fieldError.invalid(at, mode, "must be a number between 0 and 0777 (octal), both inclusive")];
}

function required(value: string | undefined, at: string): FieldError[] {
  return value ? [] : [fieldError.required(at)];
}

/** A path inside a volume: relative, without `..` steps. */
export function descendingPath(path: string, at: string): FieldError[] {
  return [
    ...(path.startsWith("/") ? [fieldError.invalid(at, path, "must be a relative path")] : []),
    ...noBacksteps(path, at),
  ];
}

function localPath(path: string, at: string): FieldError[] {
  const errors = descendingPath(path, at);
  if (path.startsWith("..") && !path.startsWith("../")) {
    errors.push(fieldError.invalid(at, path, "must not start with '..'"));
  }
  return errors;
}

function noBacksteps(path: string, at: string): FieldError[] {
  return path.split("/").includes("..") ? [fieldError.invalid(at, path, "must not contain '..'")] : [];
}
