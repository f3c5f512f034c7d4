import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { TLSSocket } from "node:tls";

/** The TLS connection of a request: an HTTP/2 request shares it with others and has it behind its session. */
export function tlsSocket(request: IncomingMessage): TLSSocket {
  const session = (request as unknown as Partial<Http2ServerRequest>).stream?.session;
  return (session?.socket ?? request.socket) as TLSSocket;
}
