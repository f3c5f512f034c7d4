import { fieldError } from "../../api/field-error.ts";
import { equal, type KubeObject } from "../../api/object.ts";
import { defineKind } from "../define.ts";
import { keep } from "../fields/generation.ts";
import { nameAndAge } from "../table/name-and-age.ts";

const group = "resource.k8s.io";

interface DeviceRequest {
  exactly?: { allocationMode?: string; count?: number };
  firstAvailable?: { allocationMode?: string; count?: number }[];
}

interface ClaimSpec {
  devices?: { requests?: DeviceRequest[] };
}

interface ResourceClaim extends KubeObject {
  spec?: ClaimSpec;
  status?: { allocation?: unknown; reservedFor?: unknown[] };
}

interface ResourceClaimTemplate extends KubeObject {
  spec?: { spec?: ClaimSpec };
}

interface ResourceSlice extends KubeObject {
  spec?: { nodeName?: string; driver?: string; pool?: { name?: string } };
}

/** One device of a kind, unless asked otherwise (SetDefaults_ExactDeviceRequest). */
function applyRequestDefaults(spec: ClaimSpec | undefined): void {
  for (const request of spec?.devices?.requests ?? []) {
    for (const one of [...(request.exactly ? [request.exactly] : []), ...(request.firstAvailable ?? [])]) {
      one.allocationMode ||= "ExactCount";
      if (one.allocationMode === "ExactCount") one.count ||= 1;
    }
  }
}

function state({ metadata, status }: ResourceClaim): string {
  const deleted = metadata.deletionTimestamp !== undefined;
  if (!status?.allocation) return deleted ? "deleted" : "pending";
  const states = [...(deleted ? ["deleted"] : []), "allocated"];
  return [...states, ...((status.reservedFor ?? []).length > 0 ? ["reserved"] : [])].join(",");
}

export const resourceClaims = defineKind<ResourceClaim>({
  group,
  resource: "resourceclaims",
  applyDefaults: ({ spec }) => applyRequestDefaults(spec),
  prepareForCreate(claim) {
    delete claim.status;
  },
  prepareForUpdate: (claim, old) => keep(claim, old, "status"),
  prepareForStatusUpdate: (claim, old) => keep(claim, old, "spec"),
  validateUpdate: (claim, old) =>
    equal(claim.spec, old.spec) ? [] : [fieldError.invalid("spec", claim.spec, "field is immutable")],
  cells: nameAndAge((claim) => [state(claim)]),
});

export const resourceClaimTemplates = defineKind<ResourceClaimTemplate>({
  group,
  resource: "resourceclaimtemplates",
  applyDefaults: ({ spec }) => applyRequestDefaults(spec?.spec),
  validateUpdate: (template, old) =>
    equal(template.spec, old.spec) ? [] : [fieldError.invalid("spec", template.spec, "field is immutable")],
  cells: nameAndAge(),
});

export const deviceClasses = defineKind<KubeObject>({
  group,
  resource: "deviceclasses",
  prepareForCreate(deviceClass) {
    deviceClass.metadata.generation = 1;
  },
  cells: nameAndAge(),
});

export const resourceSlices = defineKind<ResourceSlice>({
  group,
  resource: "resourceslices",
  prepareForCreate(slice) {
    slice.metadata.generation = 1;
  },
  selectableFields: {
    "spec.nodeName": ({ spec }) => spec?.nodeName ?? "",
    "spec.driver": ({ spec }) => spec?.driver ?? "",
  },
  cells: nameAndAge(({ spec }) => [spec?.nodeName ?? "", spec?.driver ?? "", spec?.pool?.name ?? ""]),
});
