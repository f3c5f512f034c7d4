import type { V1CustomResourceDefinition } from "@kubernetes/client-node";
import { defineKind, type Kind } from "../../define.ts";
import { keepSpec, nextGeneration } from "../../fields/generation.ts";
import { validate, validateUpdate } from "./validation.ts";

type CustomResourceDefinition = Kind<V1CustomResourceDefinition>;

/** SetDefaults_CustomResourceDefinitionSpec. */
function applyDefaults({ spec }: CustomResourceDefinition): void {
  if (!spec) return;
  if (spec.names?.kind) {
    spec.names.singular ||= spec.names.kind.toLowerCase();
    spec.names.listKind ||= `${spec.names.kind}List`;
  }
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service) service.port ??= 443;
}

/** What is stored in a version stays readable: the versions ever stored are remembered. */
function rememberStoredVersions(definition: CustomResourceDefinition): void {
  const stored = definition.spec.versions?.find((v) => v.storage)?.name;
  const status = definition.status;
  if (!stored || !status) return;
  const known = status.storedVersions ?? [];
  status.storedVersions = known.includes(stored) ? known : [...known, stored];
}

export const customResourceDefinitions = defineKind<CustomResourceDefinition>({
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
  applyDefaults,
  prepareForCreate(definition) {
    definition.metadata.generation = 1;
    definition.status = { acceptedNames: { kind: "", plural: "" }, conditions: [], storedVersions: [] };
    rememberStoredVersions(definition);
  },
  prepareForUpdate(definition, old) {
    nextGeneration(definition, old);
    if (definition.status) definition.status = { ...definition.status };
    rememberStoredVersions(definition);
  },
  prepareForStatusUpdate: keepSpec,
  validate,
  validateUpdate,
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
});
