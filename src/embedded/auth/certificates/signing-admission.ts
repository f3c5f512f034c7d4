import type { V1CertificateSigningRequest } from "@kubernetes/client-node";
import { apiError } from "../../api/api-error.ts";
import type { KubeObject, Wire } from "../../api/object.ts";
import { equal } from "../../api/object.ts";
import type { UserInfo } from "../../registry/api.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../registry/core.ts";
import { type Authorizer, superusers } from "../authorization.ts";
import { requestSubject } from "./request-subject.ts";

type SigningRequest = KubeObject & Wire<V1CertificateSigningRequest>;

const gr = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
const clientSigner = "kubernetes.io/kube-apiserver-client";

/**
 * What belongs to certificate requests beyond their schema: who asks is written down, nobody asks to be a superuser,
 * and approving and signing need verbs on the signer (CertificateSubjectRestriction, CertificateApproval,
 * CertificateSigning; https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/).
 */
export function signingAdmission(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "CertificateSigningRequests",
    mutate(request) {
      const asked = requestOf(request);
      if (asked === undefined || request.operation !== "CREATE" || !asked.spec) return;
      const { username, uid, groups, extra } = request.context.user;
      Object.assign(asked.spec, { username, uid, groups, extra });
    },
    validate(request) {
      const asked = requestOf(request);
      if (asked === undefined) return;
      const { user } = request.context;
      const { subresource } = request.target;
      if (request.operation === "CREATE") refuseSuperusers(asked);
      else if (subresource === "approval") assertMay(authorizer, user, "approve", asked);
      else if (subresource === "status") {
        const old = request.old as SigningRequest;
        if (!equal(old.status?.certificate, asked.status?.certificate)) assertMay(authorizer, user, "sign", asked);
      }
    },
  };
}

function requestOf({ definition, object }: AdmissionRequest): SigningRequest | undefined {
  const { group, resource } = definition.info;
  return group === gr.group && resource === gr.resource ? (object as SigningRequest | undefined) : undefined;
}

function refuseSuperusers({ metadata, spec }: SigningRequest): void {
  if (spec.signerName !== clientSigner) return;
  let organizations: string[];
  try {
    ({ organizations } = requestSubject(Buffer.from(spec.request, "base64").toString("utf8")));
  } catch (error) {
    const why = `Invalid value: ${JSON.stringify(spec.request)}: ${(error as Error).message}`;
    const field = { type: "FieldValueInvalid" as const, field: "spec.request", message: why };
    throw apiError.invalid({ group: gr.group, kind: "CertificateSigningRequest" }, metadata.name ?? "", [field]);
  }
  if (organizations.includes(superusers)) {
    const why = `use of ${clientSigner} signer with ${superusers} group is not allowed`;
    throw apiError.forbidden(gr, metadata.name ?? "", why);
  }
}

function assertMay(authorizer: Authorizer, user: UserInfo, verb: string, { metadata, spec }: SigningRequest): void {
  const { signerName } = spec;
  const about = { group: gr.group, resource: "signers", subresource: "", namespace: "" };
  const domain = `${signerName.split("/")[0]}/*`;
  for (const name of [signerName, domain]) {
    if (authorizer.authorize({ user, verb, resource: { ...about, name } }).allowed) return;
  }
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`;
  throw apiError.forbidden(gr, metadata.name ?? "", why);
}
