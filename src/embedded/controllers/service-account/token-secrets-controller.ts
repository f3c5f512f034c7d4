import { copy, type KubeObject } from "../../api/object.ts";
import { type Controller, type ControllerContext, objectKey, observe, splitKey } from "../framework/controller.ts";
import { unless } from "../framework/expected-errors.ts";
import { secrets, serviceAccounts } from "../framework/resources.ts";
import { WorkQueue } from "../framework/work-queue.ts";

const tokenType = "kubernetes.io/service-account-token";
const accountName = "kubernetes.io/service-account.name";
const accountUid = "kubernetes.io/service-account.uid";
const byAccount = "service account of a token";

/** Makes the token that is kept in a Secret, for the account it names. */
export type IssueSecretToken = (account: KubeObject, secret: KubeObject) => string;

/**
 * Fills Secrets of type kubernetes.io/service-account-token, and deletes those whose ServiceAccount is gone
 * (https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets).
 */
export class TokenSecretsController implements Controller {
  readonly name = "serviceaccount-token-controller";
  private readonly queue: WorkQueue;
  private readonly stops: (() => void)[] = [];

  /** @param caCertificate PEM */
  constructor(
    private readonly context: ControllerContext,
    private readonly caCertificate: string,
    private readonly issue: IssueSecretToken,
  ) {
    this.queue = new WorkQueue(
      context.clock,
      (key) => this.sync(key),
      (key, error) => context.log(`token secret ${key}: ${error}`),
    );
  }

  start(): void {
    const { store } = this.context;
    store.addIndex(secrets, byAccount, (secret) => {
      const account = accountOf(secret);
      return account === undefined ? [] : [`${secret.metadata.namespace}/${account}`];
    });
    this.stops.push(
      observe(store, secrets, (secret, _previous, deleted) => {
        if (!deleted && accountOf(secret) !== undefined) this.queue.add(objectKey(secret));
      }),
      store.watch(serviceAccounts, ({ object, type }) => {
        if (type === "MODIFIED") return;
        for (const secret of store.byIndex(secrets, byAccount, objectKey(object))) this.queue.add(objectKey(secret));
      }),
    );
  }

  stop(): void {
    for (const stop of this.stops) stop();
    this.queue.stop();
  }

  private sync(key: string): void {
    const { store, api, as } = this.context;
    const { namespace, name } = splitKey(key);
    const secret = store.get(secrets, namespace, name);
    if (secret === undefined || secret.metadata.deletionTimestamp) return;
    const account = store.get(serviceAccounts, namespace, accountOf(secret) ?? "");
    const wantedUid = secret.metadata.annotations?.[accountUid];
    const target = { ...secrets, namespace, name };
    if (account === undefined || (wantedUid && wantedUid !== account.metadata.uid)) {
      const preconditions = { uid: secret.metadata.uid, resourceVersion: secret.metadata.resourceVersion };
      unless(["NotFound", "Conflict"], () => api.delete(target, { preconditions }, as));
      return;
    }
    const data = (secret["data"] ?? {}) as Record<string, string>;
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const wanted = {
      "ca.crt": encode(this.caCertificate),
      namespace: encode(namespace),
      token: data["token"] || encode(this.issue(account, secret)),
    };
    const filled = Object.entries(wanted).every(([field, value]) => data[field] === value);
    if (filled && wantedUid) return;
    const next = copy(secret);
    next["data"] = { ...data, ...wanted };
    next.metadata.annotations = { ...next.metadata.annotations, [accountUid]: account.metadata.uid! };
    unless(["NotFound", "Conflict"], () => api.update(target, next, as));
  }
}

function accountOf(secret: KubeObject): string | undefined {
  return secret["type"] === tokenType ? secret.metadata.annotations?.[accountName] : undefined;
}
