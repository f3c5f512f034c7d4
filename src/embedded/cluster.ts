import { join } from "node:path";
import { type Clock, systemClock } from "./api/clock.ts";
import type { NodeShape } from "./api/node-shape.ts";
import type { Pod } from "./api/pod.ts";
import { Authenticator } from "./auth/authentication/authenticate.ts";
import { impersonate } from "./auth/authentication/impersonate.ts";
import { createBootstrapPolicy } from "./auth/bootstrap/create-policy.ts";
import { signingAdmission } from "./auth/certificates/signing-admission.ts";
import { kubeconfigFor, loadPki, type Pki } from "./auth/pki.ts";
import { escalationCheck } from "./auth/rbac/escalation.ts";
import { RbacAuthorizer } from "./auth/rbac/rbac-authorizer.ts";
import { createReview } from "./auth/reviews/reviews.ts";
import { JwtKey } from "./auth/tokens/jwt.ts";
import { ServiceAccountTokens } from "./auth/tokens/service-account-tokens.ts";
import { createToken } from "./auth/tokens/token-request.ts";
import type { Controller } from "./controllers/framework/controller.ts";
import { type ContextFactory, controllerIdentity } from "./controllers/framework/identity.ts";
import { ApiEventRecorder } from "./controllers/framework/recorder.ts";
import { systemControllers } from "./controllers/system.ts";
import { workloadControllers } from "./controllers/workloads.ts";
import { CustomResourceController } from "./custom-resources/custom-resource-controller.ts";
import type { Api, RequestContext } from "./registry/api.ts";
import { createSystemObjects } from "./registry/bootstrap/system-objects.ts";
import { createApi } from "./registry/create-api.ts";
import { decodeProtobuf } from "./schema/protobuf.ts";
import { authorizeRequest } from "./server/authorize.ts";
import { defaultLimits, type ServerLimits } from "./server/limits.ts";
import { OpenApiDocuments } from "./server/openapi-documents.ts";
import { ResourceIndex } from "./server/resource-index.ts";
import { startServer } from "./server/server.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";

export type { NodeShape } from "./api/node-shape.ts";

export interface EmbeddedClusterOptions {
  /** Nodes to create when the cluster is new; a cluster restored from `dataDir` keeps its own. */
  nodes: NodeShape[];
  /** Where objects, audit log and PKI are kept; absent: in memory only (a grader's throwaway cluster). */
  dataDir?: string;
  /** Loopback port; 0 or absent: any free one. */
  port?: number;
  /** The context, cluster and user name in the kubeconfig; default k8s-practice-embedded. */
  name?: string;
  clock?: Clock;
  /** Called for each audit event (audit.k8s.io/v1 Event, level Request), in order. */
  onAudit?(event: Record<string, unknown>): void;
  /** Keys and certificates; absent: the ones in `dataDir`, or new ones. */
  pki?: Pki;
  /** What one client may use of the server; default: limits.ts there. */
  limits?: Partial<ServerLimits>;
  log?(line: string): void;
}

/** A running embedded cluster: server, controllers, scheduler and kubelets in this process. */
export interface EmbeddedCluster {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** A kubeconfig (YAML) with a client certificate of group system:masters, as kind's. */
  readonly kubeconfig: string;
  readonly store: Store;
  readonly api: Api;
  /** Nodes as machines: `stop` ends heartbeats and Pods' status updates, as pulling the plug does. */
  readonly nodes: {
    add(shape: NodeShape): void;
    stop(name: string): void;
    start(name: string): void;
    remove(name: string): void;
  };
  /** What was found wrong with the data at start, and what was kept; empty when all was well. */
  readonly recovered: string[];
  close(): Promise<void>;
}

const defaultName = "k8s-practice-embedded";

/**
 * Starts a cluster: store, API, server, controllers, machines. Resolves when it answers.
 *
 * @throws the listen error as it is (EADDRINUSE), or what the store says of its data
 */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { dataDir, clock = systemClock, log = () => {}, name = defaultName } = options;
  const [pki, { store, findings }] = await Promise.all([
    options.pki ?? loadPki(dataDir === undefined ? undefined : join(dataDir, "pki")),
    openStore(dataDir === undefined ? undefined : join(dataDir, "store")),
  ]);
  const stops: (() => unknown)[] = [() => store.close()];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const authorizer = new RbacAuthorizer(store);
    const api = createApi({ store, clock, admission: [escalationCheck(authorizer), signingAdmission(authorizer)] });
    createSystemObjects(api);
    createBootstrapPolicy(api);
    const resources = new ResourceIndex(api.core.resources);
    const tokens = new ServiceAccountTokens(store, clock, new JwtKey(pki.serviceAccountKey));
    const authenticator = new Authenticator((token) => {
      const result = tokens.check(token, []);
      return "user" in result ? result.user : undefined;
    });
    const reviews = { core: api.core, authorizer, checkToken: tokens.check.bind(tokens) };
    const contextFor: ContextFactory = ({ user, userAgent, fieldManager }) => {
      const as: RequestContext = { user, userAgent, fieldManager };
      return { store, api, clock, as, events: new ApiEventRecorder(api, clock, as, log), log };
    };
    const customResources = new CustomResourceController(
      contextFor(controllerIdentity("custom-resource-definition-controller")),
      api.core.resources,
      api.core.types,
    );
    // First of all: what a store that is opened again holds must be served before anyone asks for it.
    customResources.start();
    stops.push(() => customResources.stop());
    const system = systemControllers(contextFor, {
      catalogue: resources,
      caCertificate: pki.ca,
      issueSecretToken: (account, secret) => tokens.issueLegacy(account, secret),
      // The certificate library is loaded by who needs it.
      signCertificate: async (order) => (await import("./auth/certificates/sign-request.ts")).signRequest(order, pki),
    });
    const { machines, kubelets } = system;
    const server = await startServer({
      api,
      store,
      clock,
      resources,
      openApi: new OpenApiDocuments(resources, api.core.types),
      definitionOf: (info) => api.core.resources.find(info, info.version)!,
      tls: { ca: pki.ca, cert: pki.serverCert, key: pki.serverKey },
      port: options.port ?? 0,
      authenticate: (request, connection) => authenticator.authenticate(request, connection),
      tokenDiscovery: (pathname, host) => tokens.discovery(pathname, host),
      limits: { ...defaultLimits, ...options.limits },
      impersonate: (request, user) => impersonate(request, user, authorizer),
      authorize: (user, verb, path, pathname) => authorizeRequest(authorizer, user, verb, path, pathname),
      createVirtual: (target, body, context) =>
        createReview(target, body, context, reviews) ?? createToken(target, body, context, { core: api.core, tokens }),
      decodeProtobuf: (body) => decodeProtobuf(body, api.core.types),
      nodes: {
        add: (shape) => machines.addMachine(shape),
        stop: (node) => machines.stopMachine(node),
        start: (node) => machines.startMachine(node),
        remove: (node) => machines.removeMachine(node),
      },
      readLog: (pod, container, previous) => kubelets.log(pod as Pod, container, previous),
      onAudit: options.onAudit,
      log,
    });
    stops.push(() => server.close());
    start([...system.controllers, ...workloadControllers(contextFor)], stops);
    for (const shape of options.nodes) {
      if (store.get({ group: "", resource: "nodes" }, "", shape.name) === undefined) machines.addMachine(shape);
    }
    const url = `https://127.0.0.1:${server.port}`;
    return {
      url,
      kubeconfig: kubeconfigFor(pki, url, name),
      store,
      api,
      nodes: {
        add: (shape) => machines.addMachine(shape),
        stop: (node) => machines.stopMachine(node),
        start: (node) => machines.startMachine(node),
        remove: (node) => machines.removeMachine(node),
      },
      recovered: findings,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function start(controllers: readonly Controller[], stops: (() => unknown)[]): void {
  for (const controller of controllers) {
    controller.start();
    stops.push(() => controller.stop());
  }
}
