import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A UNIX socket that leads to one TCP address and nowhere else: the only way out of a sandbox that has a network
 * namespace of its own. The supervisor inside listens on the cluster's loopback port and leads every connection here.
 */
export class ClusterRelay {
  private readonly open = new Set<Socket>();

  private constructor(
    readonly path: string,
    private readonly server: Server,
  ) {}

  static async listen(path: string, target: { host: string; port: number }): Promise<ClusterRelay> {
    const server = createServer({ allowHalfOpen: true });
    const relay = new ClusterRelay(path, server);
    server.on("connection", (inside) => relay.lead(inside, connect({ ...target, allowHalfOpen: true })));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, resolve);
    });
    // The script's user is not ours; the folder around the socket keeps everyone else away.
    chmodSync(path, 0o777);
    return relay;
  }

  private lead(inside: Socket, outside: Socket): void {
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      this.open.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.open.delete(from);
        to.destroy();
      });
    }
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    rmSync(this.path, { force: true });
  }
}
