import type { IncomingMessage, ServerResponse } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { apiError } from "../api/api-error.ts";
import { auditEvent } from "../audit/audit-event.ts";
import { anonymous } from "../auth/authentication/authenticate.ts";
import type { UserInfo } from "../registry/api.ts";
import { send, sendText, toApiError } from "./answer.ts";
import { withSelectedName } from "./authorize.ts";
import * as discovery from "./discovery.ts";
import type { ServerLimits } from "./limits.ts";
import { negotiate } from "./negotiation.ts";
import { type NodeActions, nodeAction } from "./node-actions.ts";
import type { OpenApiDocuments } from "./openapi-documents.ts";
import { podLog, type ReadLog } from "./pod-log.ts";
import { mediaType, parseBody, readBody } from "./request-body.ts";
import { parsePath, type RequestInfo, verbOf } from "./request-info.ts";
import { requestContext } from "./request-options.ts";
import { type RequestTarget, requestTarget } from "./request-target.ts";
import { handleResource, type ResourceServices } from "./resource-handler.ts";
import type { ResourceIndex } from "./resource-index.ts";
import { tlsSocket } from "./tls-socket.ts";

export interface ServerOptions extends ResourceServices {
  resources: ResourceIndex;
  openApi: OpenApiDocuments;
  tls: { ca: string; cert: string; key: string };
  /** 0: any free one. */
  port: number;
  /** Who asks. Throws ApiError 401 for credentials that are none. */
  authenticate(request: IncomingMessage, connection: TLSSocket): UserInfo;
  /** As whom: `user`, or whom its headers name. Throws ApiError 403 when `user` may not. */
  impersonate(request: IncomingMessage, user: UserInfo): UserInfo;
  /** Throws ApiError 403 when the user may not. */
  authorize(user: UserInfo, verb: string, path: RequestInfo | undefined, uri: string): void;
  /** The documents by which others verify tokens; undefined for any other path. */
  tokenDiscovery(pathname: string, host: string): object | undefined;
  /** A body in Kubernetes' protobuf as JSON. */
  decodeProtobuf?(body: Buffer): unknown;
  nodes: NodeActions;
  readLog: ReadLog;
  onAudit?(event: Record<string, unknown>): void;
  limits: ServerLimits;
  log(line: string): void;
}

export interface RunningServer {
  port: number;
  close(): Promise<void>;
}

const version = {
  major: "1",
  minor: "36",
  gitVersion: "v1.36.2",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2026-06-11T00:00:00Z",
  goVersion: "",
  compiler: "gc",
  platform: "linux/amd64",
};

/** The HTTPS server on loopback. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { tls, limits } = options;
  const server = createSecureServer(
    {
      ca: tls.ca,
      cert: tls.cert,
      key: tls.key,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.2",
      // HTTP/2 as kube-apiserver, and HTTP/1.1 for clients that upgrade (exec) or know no better.
      allowHTTP1: true,
      handshakeTimeout: limits.handshakeTimeout,
      settings: { maxConcurrentStreams: limits.maxStreams },
    },
    (http2Request, http2Response) => {
      // Node's HTTP/2 requests and answers are made to be used as those of HTTP/1.1.
      const request = http2Request as unknown as IncomingMessage;
      const response = http2Response as unknown as ServerResponse;
      void serve(request, response, options).catch((error: unknown) => {
        options.log(`${request.method} ${request.url}: ${error instanceof Error ? error.stack : String(error)}`);
        response.destroy();
      });
    },
  );
  limitTime(server, limits);
  const connections = new Set<Socket>();
  // From the first byte on, not only once TLS is agreed: closing must not wait for a half-open client.
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.on("sessionError", () => {});
  server.on("tlsClientError", () => {});
  server.on("upgrade", (_request, socket: Socket) => {
    socket.on("error", () => {});
    const status = apiError.badRequest(noContainers).status;
    const body = JSON.stringify(status);
    socket.end(
      `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

/** Clients that are slow with their requests, or say nothing between two, are let go. */
function limitTime(server: Http2SecureServer, limits: ServerLimits): void {
  const { headersTimeout, requestTimeout, idleTimeout, maxConnections } = limits;
  // HTTP/1.1 on a server of HTTP/2 takes these from its properties, and looks at them when it begins to listen.
  const connectionsCheckingInterval = Math.min(headersTimeout, 5000);
  const keepAliveTimeout = idleTimeout;
  Object.assign(server, {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval,
    maxConnections,
  });
  server.on("session", (session) => {
    let open = 0;
    session.on("stream", (stream) => {
      open += 1;
      stream.once("close", () => {
        open -= 1;
      });
    });
    session.setTimeout(idleTimeout, () => {
      if (open === 0) session.close();
    });
  });
}

export const noContainers =
  "the embedded cluster of k8s-practice runs no containers: exec, attach, cp and port-forward need a real cluster";

/** Answers one request and tells the audit log before the answer is out. */
async function serve(request: IncomingMessage, response: ServerResponse, options: ServerOptions): Promise<void> {
  const receivedAt = options.clock.now();
  const uri = request.url ?? "/";
  let target: RequestTarget = { pathname: uri, query: new URLSearchParams() };
  let user = anonymous;
  let impersonator: UserInfo | undefined;
  let path: RequestInfo | undefined;
  let verb = (request.method ?? "GET").toLowerCase();
  let body: unknown;
  let failure: { reason: string; message: string } | undefined;
  let decision: "allow" | "forbid" = "forbid";
  const audit = (code: number) => {
    if (options.onAudit === undefined || path === undefined) return;
    options.onAudit(
      auditEvent({
        verb,
        requestURI: uri,
        user: impersonator ?? user,
        ...(impersonator === undefined ? {} : { impersonatedUser: user }),
        userAgent: request.headers["user-agent"],
        sourceIP: tlsSocket(request).remoteAddress,
        objectRef: objectRef(path, body),
        receivedAt,
        answeredAt: options.clock.now(),
        code,
        ...failure,
        decision,
        requestObject: body,
      }),
    );
  };
  // The event must be there when the client has its answer: written as the header goes out.
  const writeHead = response.writeHead.bind(response) as (code: number, ...rest: never[]) => ServerResponse;
  response.writeHead = ((code: number, ...rest: never[]) => {
    audit(code);
    return writeHead(code, ...rest);
  }) as typeof response.writeHead;
  response.setHeader("audit-id", receivedAt.toString(36));

  try {
    user = options.authenticate(request, tlsSocket(request));
    const asked = user;
    user = options.impersonate(request, asked);
    if (user !== asked) impersonator = asked;
    target = requestTarget(uri);
    const { pathname, query } = target;
    path = parsePath(pathname, options.resources);
    if (path !== undefined) verb = verbOf(request.method ?? "GET", path, query);
    options.authorize(user, verb, path && withSelectedName(path, query), pathname);
    decision = "allow";
    const takesBody = ["POST", "PUT", "PATCH", "DELETE"].includes(request.method ?? "");
    const raw = takesBody ? await readBody(request, options.limits) : undefined;
    if (raw !== undefined) body = parse(raw, mediaType(request.headers["content-type"]), options);
    if (path === undefined) {
      if (!(await serveOther(request, response, pathname, body, options))) throw apiError.noSuchPath();
      return;
    }
    if (["exec", "attach", "portforward", "proxy"].includes(path.subresource ?? ""))
      throw apiError.badRequest(noContainers);
    if (path.info.resource === "pods" && path.subresource === "log") {
      return sendText(response, 200, podLog(path, query, options));
    }
    if (createsMissing(path, verb, request, options)) options.authorize(user, "create", path, pathname);
    const context = requestContext(user, request.headers["user-agent"], verb, query, body);
    await handleResource({ request, response, path, query, verb, body, context }, options);
  } catch (error) {
    const answer = toApiError(error);
    if (answer.code === 500)
      options.log(`${request.method} ${uri}: ${error instanceof Error ? error.stack : String(error)}`);
    failure = { reason: answer.reason, message: answer.message };
    const retry = answer.status.details?.retryAfterSeconds;
    if (retry !== undefined && !response.headersSent) response.setHeader("retry-after", String(retry));
    send(response, answer.code, answer.status);
  } finally {
    // A body that nobody has read would keep its stream open.
    request.resume();
  }
}

/** An update or an apply of what is not there makes it, where the kind allows. */
function createsMissing(
  { info, namespace, name, subresource }: RequestInfo,
  verb: string,
  request: IncomingMessage,
  { api, definitionOf }: ServerOptions,
): boolean {
  const applies = verb === "patch" && mediaType(request.headers["content-type"]) === "application/apply-patch+yaml";
  const updates = verb === "update" && definitionOf(info).strategy?.allowCreateOnUpdate === true;
  if (subresource !== undefined || !(applies || updates)) return false;
  const { group, resource, version } = info;
  try {
    api.get({ group, resource, version, namespace, name }, { user: anonymous });
    return false;
  } catch {
    return true;
  }
}

function parse(raw: Buffer, type: string, { decodeProtobuf }: ServerOptions): unknown {
  if (type === "application/vnd.kubernetes.protobuf" && decodeProtobuf !== undefined && raw.length > 0)
    return decodeProtobuf(raw);
  return parseBody(raw, type);
}

function objectRef({ info, namespace, name, subresource }: RequestInfo, body: unknown): Record<string, string> {
  const named = name ?? (body as { metadata?: { name?: string } } | undefined)?.metadata?.name;
  return {
    resource: info.resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(typeof named === "string" ? { name: named } : {}),
    ...(info.group === "" ? {} : { apiGroup: info.group }),
    apiVersion: info.version,
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** Discovery, OpenAPI, version, health, and what only the runner asks. True when the path was one of these. */
async function serveOther(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  body: unknown,
  options: ServerOptions,
): Promise<boolean> {
  const { resources, openApi } = options;
  const parts = pathname.split("/").filter((part) => part !== "");
  const answer = (document: unknown) => {
    if (document === undefined) return false;
    send(response, 200, document);
    return true;
  };
  if (parts[0] === "k8s-practice") return answer(nodeAction(parts, body, options.nodes, request.method ?? "GET"));
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  switch (pathname.replace(/\/$/, "")) {
    case "/version":
      return answer(version);
    case "/healthz":
    case "/livez":
    case "/readyz":
      sendText(response, 200, "ok");
      return true;
    case "":
      return answer({
        paths: ["/api", "/api/v1", "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"],
      });
    case "/openapi/v3":
      return answer(openApi.index());
    case "/openapi/v2":
      return answerOpenApiV2(request, response, openApi);
    case "/api":
    case "/apis": {
      const core = parts[0] === "api";
      const wanted = negotiate(
        request.headers.accept,
        ({ as, group, version: v }) =>
          as === "APIGroupDiscoveryList" && group === "apidiscovery.k8s.io" && (v === "v2" || v === "v2beta1"),
      );
      if (wanted?.as !== undefined) {
        send(response, 200, discovery.aggregatedDiscovery(resources, core, wanted.version!), wanted);
        return true;
      }
      return answer(core ? discovery.apiVersions(request.headers.host ?? "") : discovery.apiGroupList(resources));
    }
    default:
  }
  const tokenDocument = options.tokenDiscovery(pathname, request.headers.host ?? "");
  if (tokenDocument !== undefined) return answer(tokenDocument);
  if (parts[0] === "openapi" && parts[1] === "v3") return answer(openApi.document(parts.slice(2).join("/")));
  if (parts[0] === "api" && parts.length === 2) return answer(discovery.apiResourceList(resources, "", parts[1]!));
  if (parts[0] === "apis" && parts.length === 2) return answer(discovery.apiGroup(resources, parts[1]!));
  if (parts[0] === "apis" && parts.length === 3)
    return answer(discovery.apiResourceList(resources, parts[1]!, parts[2]!));
  return false;
}

/** kubectl takes this document as protobuf only; others get JSON. */
function answerOpenApiV2(request: IncomingMessage, response: ServerResponse, openApi: OpenApiDocuments): true {
  const accept = request.headers.accept ?? "";
  if (!/proto-openapi.spec.v2@v1.0\+protobuf/.test(accept)) {
    send(response, 200, openApi.v2());
    return true;
  }
  const content = openApi.v2Protobuf();
  response.writeHead(200, {
    "content-type": "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    "content-length": content.length,
  });
  response.end(content);
  return true;
}
