import { connect, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";

/** A TCP proxy before a database, which can be cut like a cable, or fall silent as behind a firewall. */
export class CuttableProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: { isCut: boolean; isSilent: boolean };

  private constructor(
    url: string,
    server: Server,
    inner: { sockets: Set<Socket>; state: { isCut: boolean; isSilent: boolean } },
  ) {
    this.url = url;
    this.#server = server;
    this.#sockets = inner.sockets;
    this.#state = inner.state;
  }

  static async before(databaseUrl: string): Promise<CuttableProxy> {
    const target = new URL(databaseUrl);
    const sockets = new Set<Socket>();
    const state = { isCut: false, isSilent: false };
    const server = createServer((near) => {
      if (state.isCut) return near.destroy();
      if (state.isSilent) return void sockets.add(near.on("error", () => undefined));
      const far = connect({ port: Number(target.port || 5432), host: target.hostname });
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
      return undefined;
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = new URL(databaseUrl);
    url.hostname = "127.0.0.1";
    url.port = String((server.address() as { port: number }).port);
    return new CuttableProxy(url.href, server, { sockets, state });
  }

  cut(): void {
    this.#state.isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#state.isCut = false;
  }

  /** From now on nothing is passed on, and nobody is told. */
  fallSilent(): void {
    this.#state.isSilent = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
