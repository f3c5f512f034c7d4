import type { V1TokenRequestSpec } from "@kubernetes/client-node";
import { apiError } from "../../api/api-error.ts";
import { rfc3339 } from "../../api/clock.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import type { RequestContext, Target } from "../../registry/api.ts";
import type { RegistryCore } from "../../registry/core.ts";
import { decodeBody } from "../../registry/request-body.ts";
import type { ResourceDefinition } from "../../registry/resource-catalogue.ts";
import { type Bound, issuer, type ServiceAccountTokens } from "./service-account-tokens.ts";

const info = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" };
const serviceAccounts = { group: "", resource: "serviceaccounts" };

type Spec = Wire<V1TokenRequestSpec>;

/**
 * Answers a create of `serviceaccounts/NAME/token`: a token for the account, maybe bound to a Pod, Secret or Node
 * (https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/).
 *
 * @returns undefined when the target is another
 * @throws ApiError 400, 404, 409 or 422
 */
export function createToken(
  target: Target,
  body: unknown,
  context: RequestContext,
  { core, tokens }: { core: RegistryCore; tokens: ServiceAccountTokens },
): KubeObject | undefined {
  if (target.group !== "" || target.resource !== "serviceaccounts" || target.subresource !== "token") return undefined;
  const { namespace = "", name = "" } = target;
  const definition = { info, typeName: "io.k8s.api.authentication.v1.TokenRequest" } as unknown as ResourceDefinition;
  const { metadata, spec: given } = decodeBody(core, definition, body ?? {}, context) as KubeObject & { spec?: Spec };
  const account = core.store.get(serviceAccounts, namespace, name);
  if (account === undefined) throw apiError.notFound(serviceAccounts, name);
  const expirationSeconds = given?.expirationSeconds ?? 3600;
  assertDuration(expirationSeconds);
  const audiences = given?.audiences?.length ? given.audiences : [issuer];
  const bound = boundTo(given?.boundObjectRef, account, core);
  const { token, expires } = tokens.issue(account, audiences, expirationSeconds, bound);
  return {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { ...metadata, name, namespace, creationTimestamp: rfc3339(core.clock.now()) },
    spec: { audiences, expirationSeconds, boundObjectRef: given?.boundObjectRef ?? null },
    status: { token, expirationTimestamp: rfc3339(expires) },
  };
}

function assertDuration(seconds: number): void {
  const invalid = (message: string) =>
    apiError.invalid(info, "", [
      { type: "FieldValueInvalid", field: "spec.expirationSeconds", message: `Invalid value: ${seconds}: ${message}` },
    ]);
  if (seconds < 600) throw invalid("may not specify a duration less than 10 minutes");
  if (seconds > 2 ** 32) throw invalid("may not specify a duration larger than 2^32 seconds");
}

function boundTo(ref: Spec["boundObjectRef"], account: KubeObject, { store }: RegistryCore): Bound {
  if (!ref) return {};
  const { namespace = "" } = account.metadata;
  const { apiVersion = "", kind = "", name = "", uid } = ref;
  const find = (resource: string, where: string) => {
    const object = store.get({ group: "", resource }, where, name);
    if (object === undefined) throw apiError.notFound({ group: "", resource }, name);
    const actual = object.metadata.uid ?? "";
    if (uid && uid !== actual) {
      throw apiError.conflict(
        { group: "", resource },
        name,
        `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      );
    }
    return { object, reference: { name, uid: actual } };
  };
  if (apiVersion === "v1" && kind === "Pod") {
    const { object, reference } = find("pods", namespace);
    const spec = object["spec"] as { serviceAccountName?: string; nodeName?: string };
    if (spec.serviceAccountName !== account.metadata.name) {
      const name = JSON.stringify(account.metadata.name);
      throw apiError.badRequest(
        `cannot bind token for serviceaccount ${name} to pod running with different serviceaccount name.`,
      );
    }
    if (!spec.nodeName) return { pod: reference };
    const node = store.get({ group: "", resource: "nodes" }, "", spec.nodeName);
    return {
      pod: reference,
      node: { name: spec.nodeName, ...(node === undefined ? {} : { uid: node.metadata.uid! }) },
    };
  }
  if (apiVersion === "v1" && kind === "Secret") return { secret: find("secrets", namespace).reference };
  if (apiVersion === "v1" && kind === "Node") return { node: find("nodes", "").reference };
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  throw apiError.badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}
