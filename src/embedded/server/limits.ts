/** How much of the server one client may use, and for how long. Times in milliseconds, sizes in bytes. */
export interface ServerLimits {
  /** A connection that has not agreed on TLS by then is closed. */
  handshakeTimeout: number;
  /** A request whose header is not complete by then ends. */
  headersTimeout: number;
  /** A request whose body is not complete by then ends. */
  requestTimeout: number;
  /** A connection without a request is closed after this time. */
  idleTimeout: number;
  /** As kube-apiserver's limit for a request body. */
  maxBody: number;
  /** Requests at a time in one HTTP/2 connection. */
  maxStreams: number;
  maxConnections: number;
  /** More than this waiting for a watch that is not read, and it is ended: its client may list and watch again. */
  maxUnread: number;
}

export const defaultLimits: ServerLimits = {
  handshakeTimeout: 10_000,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  idleTimeout: 120_000,
  maxBody: 3 * 1024 * 1024,
  maxStreams: 250,
  maxConnections: 2000,
  maxUnread: 16 * 1024 * 1024,
};
