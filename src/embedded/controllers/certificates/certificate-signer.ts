import type { V1CertificateSigningRequest } from "@kubernetes/client-node";
import { rfc3339 } from "../../api/clock.ts";
import { copy, type KubeObject, type Wire } from "../../api/object.ts";
import { type Controller, type ControllerContext, observe } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";

type SigningRequest = KubeObject & Wire<V1CertificateSigningRequest>;

const requests = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
const signers = ["kubernetes.io/kube-apiserver-client", "kubernetes.io/kube-apiserver-client-kubelet"];
const allowedUsages = ["digital signature", "key encipherment", "client auth"];
const year = 365 * 86_400;

/** What is to be signed. */
export interface SigningOrder {
  /** PEM. */
  request: string;
  usages: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
  seconds: number;
}

/** Signs; the certificate is PEM. Rejects for a request that can't be signed. */
export type SignCertificate = (order: SigningOrder) => Promise<string>;

/** Issues certificates for approved requests to the API server's client signers (csrsigning-controller). */
export class CertificateSigner implements Controller {
  readonly name = "certificatesigningrequest-signing-controller";
  private stopWatching = () => {};
  private stopped = false;
  private readonly signing = new Set<string>();

  constructor(
    private readonly context: ControllerContext,
    private readonly sign: SignCertificate,
  ) {}

  start(): void {
    this.stopWatching = observe(this.context.store, requests, (request, _previous, deleted) => {
      if (deleted || !isWaiting(request as SigningRequest)) return;
      this.issue(request.metadata.name!).catch((error: unknown) => this.context.log(`certificate: ${error}`));
    });
  }

  stop(): void {
    this.stopped = true;
    this.stopWatching();
  }

  private async issue(name: string): Promise<void> {
    if (this.signing.has(name)) return;
    this.signing.add(name);
    try {
      const { store, clock } = this.context;
      // Not within the change that told of it.
      await Promise.resolve();
      const { spec } = store.get(requests, "", name) as SigningRequest;
      const order = {
        request: Buffer.from(spec.request, "base64").toString("utf8"),
        usages: spec.usages ?? [],
        now: clock.now(),
        seconds: spec.expirationSeconds ?? year,
      };
      const result = await this.answer(order);
      const current = store.get(requests, "", name) as SigningRequest | undefined;
      if (this.stopped || current === undefined || !isWaiting(current)) return;
      this.write(current, result);
    } finally {
      this.signing.delete(name);
    }
  }

  private async answer(order: SigningOrder): Promise<{ certificate: string } | { failure: string }> {
    const unknown = order.usages.filter((usage) => !allowedUsages.includes(usage));
    if (unknown.length > 0 || !order.usages.includes("client auth")) {
      return { failure: `invalid usages for client certificate: [${order.usages.join(" ")}]` };
    }
    try {
      return { certificate: await this.sign(order) };
    } catch (error) {
      return { failure: (error as Error).message };
    }
  }

  private write(request: SigningRequest, result: { certificate: string } | { failure: string }): void {
    const { api, as, clock } = this.context;
    const next = copy(request);
    const status = { ...next.status };
    if ("certificate" in result) status.certificate = Buffer.from(result.certificate).toString("base64");
    else {
      const lastUpdateTime = rfc3339(clock.now());
      const reason = "SignerValidationFailure";
      const condition = { type: "Failed", status: "True", reason, message: result.failure, lastUpdateTime };
      status.conditions = [...(status.conditions ?? []), condition];
    }
    next.status = status;
    const target = { ...requests, name: request.metadata.name!, subresource: "status" };
    unless(["NotFound", "Conflict"], () => api.update(target, next, as));
  }
}

/** Approved, one of ours, and neither issued nor failed. */
function isWaiting({ spec, status, metadata }: SigningRequest): boolean {
  const has = (type: string) => status?.conditions?.some((c) => c.type === type) ?? false;
  return (
    signers.includes(spec?.signerName) &&
    has("Approved") &&
    !has("Denied") &&
    !has("Failed") &&
    !status?.certificate &&
    metadata.deletionTimestamp === undefined
  );
}
