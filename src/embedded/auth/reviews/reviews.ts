import { apiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import type { KubeObject } from "../../api/object.ts";
import type { RequestContext, Target, UserInfo } from "../../registry/api.ts";
import type { RegistryCore } from "../../registry/core.ts";
import { decodeBody } from "../../registry/request-body.ts";
import type { AccessRequest, Authorizer, PolicyRule } from "../authorization.ts";
import { compact } from "../rbac/policy-rule.ts";
import { errorList } from "../rbac/rbac-authorizer.ts";

/** What a token is good for: its holder, or why it is none. */
export type TokenCheck = (token: string, audiences: readonly string[]) => TokenResult;
export type TokenResult = { user: UserInfo; audiences: string[] } | { error: string };

export interface ReviewServices {
  core: RegistryCore;
  authorizer: Authorizer;
  checkToken: TokenCheck;
}

interface AccessSpec {
  user?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  resourceAttributes?: Partial<
    Record<"namespace" | "verb" | "group" | "version" | "resource" | "subresource" | "name", string>
  >;
  nonResourceAttributes?: { path?: string; verb?: string };
}

/**
 * Answers a question put as an object: nothing is stored. https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/
 *
 * @returns undefined when the target is no review
 * @throws ApiError 400 or 422 for a question that is none
 */
export function createReview(
  target: Target,
  body: unknown,
  context: RequestContext,
  services: ReviewServices,
): KubeObject | undefined {
  const answer = target.subresource ? undefined : reviews[`${target.group}/${target.resource}`];
  const definition = services.core.resources.find(target, target.version);
  if (answer === undefined || definition === undefined) return undefined;
  const review = decodeBody(services.core, definition, body, context);
  const { apiVersion, kind, metadata, spec = {} } = review;
  const status = answer(spec as never, {
    ...services,
    user: context.user,
    kind,
    namespace: target.namespace ?? "",
    metadata,
  });
  return { apiVersion, kind, metadata, spec, status };
}

interface Question extends ReviewServices {
  user: UserInfo;
  kind: string;
  namespace: string;
  metadata: KubeObject["metadata"];
}

const reviews: Record<string, (spec: never, question: Question) => object> = {
  "authentication.k8s.io/selfsubjectreviews": (_spec: never, { user, metadata, core }) => {
    metadata.creationTimestamp = rfc3339(core.clock.now());
    return { userInfo: user };
  },
  "authentication.k8s.io/tokenreviews": (spec: { token?: string; audiences?: string[] }, { checkToken, kind }) => {
    if (!spec.token) throw apiError.badRequest(`token is required for ${kind} in authentication`);
    const found = checkToken(spec.token, spec.audiences ?? []);
    if ("error" in found) return { user: {}, error: found.error };
    return { authenticated: true, user: found.user, audiences: found.audiences };
  },
  "authorization.k8s.io/selfsubjectaccessreviews": (spec: AccessSpec, question) => {
    assertOneQuestion(spec, question.kind);
    return decide(spec, question.user, question);
  },
  "authorization.k8s.io/subjectaccessreviews": (spec: AccessSpec, question) => {
    assertOneQuestion(spec, question.kind);
    return decide(spec, subjectOf(spec, question.kind), question);
  },
  "authorization.k8s.io/localsubjectaccessreviews": (spec: AccessSpec, question) => {
    assertOneQuestion(spec, question.kind);
    const asked = spec.resourceAttributes?.namespace ?? "";
    if (spec.nonResourceAttributes !== undefined || asked !== question.namespace) {
      const wanted = JSON.stringify(question.namespace);
      throw apiError.badRequest(`spec.resourceAttributes.namespace must match namespace: ${asked} is not ${wanted}`);
    }
    return decide(spec, subjectOf(spec, question.kind), question);
  },
  "authorization.k8s.io/selfsubjectrulesreviews": (spec: { namespace?: string }, { authorizer, user }) => {
    if (!spec.namespace) throw apiError.badRequest("no namespace on request");
    const { rules, errors } = authorizer.rulesFor(user, spec.namespace);
    const compacted = compact(rules);
    return {
      resourceRules: compacted.filter((rule) => (rule.resources ?? []).length > 0).map(resourceRule),
      nonResourceRules: compacted
        .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: errors.length > 0,
      ...(errors.length === 0 ? {} : { evaluationError: errorList(errors) }),
    };
  },
};

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule) {
  return { verbs, apiGroups, resources, ...(resourceNames?.length ? { resourceNames } : {}) };
}

function assertOneQuestion(spec: AccessSpec, kind: string): void {
  if ((spec.resourceAttributes === undefined) === (spec.nonResourceAttributes === undefined)) {
    const what = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    throw apiError.invalid({ group: "authorization.k8s.io", kind }, "", [
      spec.resourceAttributes === undefined
        ? { type: "FieldValueInvalid", field: "spec.resourceAttributes", message: `Invalid value: null: ${what}` }
        : {
            type: "FieldValueInvalid",
            field: "spec.nonResourceAttributes",
            message: "Invalid value: cannot be specified in combination with resourceAttributes",
          },
    ]);
  }
}

function subjectOf({ user = "", uid, groups = [], extra }: AccessSpec, kind: string): UserInfo {
  if (user === "" && groups.length === 0) {
    throw apiError.invalid({ group: "authorization.k8s.io", kind }, "", [
      {
        type: "FieldValueInvalid",
        field: "spec.user",
        message: 'Invalid value: "": at least one of user or group must be specified',
      },
    ]);
  }
  return { username: user, ...(uid === undefined ? {} : { uid }), groups, ...(extra === undefined ? {} : { extra }) };
}

function decide(spec: AccessSpec, user: UserInfo, { authorizer }: Question): object {
  const { allowed, reason } = authorizer.authorize(accessRequest(spec, user));
  return { allowed, ...(reason === "" ? {} : { reason }) };
}

function accessRequest({ resourceAttributes, nonResourceAttributes }: AccessSpec, user: UserInfo): AccessRequest {
  if (resourceAttributes === undefined) {
    return { user, verb: nonResourceAttributes?.verb ?? "", path: nonResourceAttributes?.path ?? "" };
  }
  const {
    verb = "",
    group = "",
    version,
    resource = "",
    subresource = "",
    namespace = "",
    name = "",
  } = resourceAttributes;
  return { user, verb, resource: { group, version, resource, subresource, namespace, name } };
}
