import { randomBytes } from "node:crypto";
import { connect, createServer, type AddressInfo, type Server } from "node:net";

/** A listener that every unsealed pod can reach, and no sealed one may. */
export interface Canary {
  readonly port: number;
  /** Connects to itself, at the address that scans are given: a canary that is dead proves nothing. */
  prove(): Promise<void>;
  close(): Promise<void>;
}

export class CanaryUnreachable extends Error {
  override readonly name = "CanaryUnreachable";
}

export interface CanaryOptions {
  /** The address that scans are given. */
  readonly address: string;
  readonly port: number;
  /** Where to listen; all addresses when absent. */
  readonly host?: string | undefined;
  readonly timeoutMs?: number;
}

/** Says a word of its own to whoever connects, and hangs up. */
export async function startCanary({ address, port, host, timeoutMs = 3000 }: CanaryOptions): Promise<Canary> {
  const word = randomBytes(16).toString("hex");
  const server = createServer((socket) => socket.on("error", () => undefined).end(word));
  await listen(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    async prove() {
      if ((await heard(address, bound, timeoutMs)) !== word)
        throw new CanaryUnreachable(`The canary cannot be reached at ${address}, port ${bound}`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function listen(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ port, host }, () => resolve());
  });
}

/** What is said there; undefined where nothing is in time. */
function heard(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (text: string | undefined): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("end", () => end(Buffer.concat(chunks).toString()));
    socket.once("timeout", () => end(undefined));
    socket.once("error", () => end(undefined));
  });
}
