import type {
  V1MatchResources,
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
  V1ValidatingWebhook,
  V1ValidatingWebhookConfiguration,
} from "@kubernetes/client-node";
import type { KubeObject, Wire } from "../../api/object.ts";
import { defineKind, type Kind } from "../define.ts";
import { keepSpec, nextGeneration, startGeneration, startWith } from "../fields/generation.ts";
import { formatLabelSelector } from "../fields/labels.ts";
import { nameAndAge } from "../table/name-and-age.ts";
import { validateWebhooks } from "./webhooks.ts";

const group = "admissionregistration.k8s.io";

type Webhook = Wire<V1ValidatingWebhook> | Wire<V1MutatingWebhook>;
type WebhookConfiguration = KubeObject & { webhooks?: Webhook[] };

/** MutatingAdmissionPolicy and its binding, which the client's models of 1.34 do not have in v1. */
interface MutatingAdmissionPolicy extends KubeObject {
  spec?: Wire<V1ValidatingAdmissionPolicy>["spec"] & { mutations?: unknown[]; reinvocationPolicy?: string };
}

function applyWebhookDefaults({ webhooks }: WebhookConfiguration): void {
  for (const webhook of webhooks ?? []) {
    webhook.failurePolicy ??= "Fail";
    webhook.matchPolicy ??= "Equivalent";
    webhook.namespaceSelector ??= {};
    webhook.objectSelector ??= {};
    webhook.timeoutSeconds ??= 10;
    for (const rule of webhook.rules ?? []) rule.scope ??= "*";
    if (webhook.clientConfig?.service) webhook.clientConfig.service.port ??= 443;
  }
}

function applyMatchDefaults(match: Wire<V1MatchResources> | undefined): void {
  if (!match) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= "*";
}

/** A change of a configuration is a new generation, though it has no spec. */
function nextWebhookGeneration(configuration: WebhookConfiguration, old: WebhookConfiguration): void {
  const generation = old.metadata.generation ?? 0;
  const same = JSON.stringify(configuration.webhooks) === JSON.stringify(old.webhooks);
  configuration.metadata.generation = same ? generation : generation + 1;
}

function paramKind(spec: { paramKind?: { apiVersion?: string; kind?: string } } | undefined): string {
  return spec?.paramKind ? `${spec.paramKind.apiVersion}/${spec.paramKind.kind}` : "<unset>";
}

function paramRef(spec: Wire<V1ValidatingAdmissionPolicyBinding>["spec"]): string {
  const ref = spec?.paramRef;
  if (ref?.name) return `${ref.namespace || "*"}/${ref.name}`;
  return ref?.selector ? formatLabelSelector(ref.selector) : "<unset>";
}

export const mutatingWebhookConfigurations = defineKind<Kind<V1MutatingWebhookConfiguration>>({
  group,
  resource: "mutatingwebhookconfigurations",
  applyDefaults(configuration) {
    applyWebhookDefaults(configuration as WebhookConfiguration);
    for (const webhook of configuration.webhooks ?? []) webhook.reinvocationPolicy ??= "Never";
  },
  prepareForCreate: startGeneration,
  prepareForUpdate: (configuration, old) =>
    nextWebhookGeneration(configuration as WebhookConfiguration, old as WebhookConfiguration),
  validate: ({ webhooks }) => validateWebhooks(webhooks),
  cells: nameAndAge(({ webhooks }) => [(webhooks ?? []).length]),
});

export const validatingWebhookConfigurations = defineKind<Kind<V1ValidatingWebhookConfiguration>>({
  group,
  resource: "validatingwebhookconfigurations",
  applyDefaults: (configuration) => applyWebhookDefaults(configuration as WebhookConfiguration),
  prepareForCreate: startGeneration,
  prepareForUpdate: (configuration, old) =>
    nextWebhookGeneration(configuration as WebhookConfiguration, old as WebhookConfiguration),
  validate: ({ webhooks }) => validateWebhooks(webhooks),
  cells: nameAndAge(({ webhooks }) => [(webhooks ?? []).length]),
});

export const validatingAdmissionPolicies = defineKind<Kind<V1ValidatingAdmissionPolicy>>({
  group,
  resource: "validatingadmissionpolicies",
  applyDefaults({ spec }) {
    if (!spec) return;
    spec.failurePolicy ??= "Fail";
    applyMatchDefaults(spec.matchConstraints);
  },
  prepareForCreate: startWith({}),
  prepareForUpdate: nextGeneration,
  prepareForStatusUpdate: keepSpec,
  cells: nameAndAge(({ spec }) => [(spec?.validations ?? []).length, paramKind(spec)]),
});

export const validatingAdmissionPolicyBindings = defineKind<Kind<V1ValidatingAdmissionPolicyBinding>>({
  group,
  resource: "validatingadmissionpolicybindings",
  applyDefaults: ({ spec }) => applyMatchDefaults(spec?.matchResources),
  prepareForCreate: startGeneration,
  prepareForUpdate: nextGeneration,
  cells: nameAndAge(({ spec }) => [spec?.policyName ?? "", paramRef(spec)]),
});

export const mutatingAdmissionPolicies = defineKind<MutatingAdmissionPolicy>({
  group,
  resource: "mutatingadmissionpolicies",
  applyDefaults({ spec }) {
    if (!spec) return;
    spec.failurePolicy ??= "Fail";
    applyMatchDefaults(spec.matchConstraints);
  },
  prepareForCreate: startGeneration,
  prepareForUpdate: nextGeneration,
  cells: nameAndAge(({ spec }) => [(spec?.mutations ?? []).length, paramKind(spec)]),
});

export const mutatingAdmissionPolicyBindings = defineKind<Kind<V1ValidatingAdmissionPolicyBinding>>({
  group,
  resource: "mutatingadmissionpolicybindings",
  applyDefaults: ({ spec }) => applyMatchDefaults(spec?.matchResources),
  prepareForCreate: startGeneration,
  prepareForUpdate: nextGeneration,
  cells: nameAndAge(({ spec }) => [spec?.policyName ?? "", paramRef(spec)]),
});
