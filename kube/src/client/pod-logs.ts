import { type KubeBody, type KubeTransport } from "./client.ts";
import { type ObjectName, objectPath, PODS } from "./resource.ts";

export interface LogRequest extends ObjectName {
  readonly container: string;
  /** The server cuts the log off after this many bytes, counted from its beginning. */
  readonly limitBytes: number;
  readonly signal?: AbortSignal;
  /** The longest wait for the next part of the log; 60 s for `read`, 10 minutes for `follow` when absent. */
  readonly idleTimeoutMs?: number;
}

/** Logs of pods. Failures are KubeErrors, never unhandled stream errors. */
export interface PodLogs {
  /** The log as it is now, at most `limitBytes`. */
  read(request: LogRequest): Promise<Buffer<ArrayBuffer>>;
  /** The log as it grows, until the container ends or `limitBytes` have come. Leaving the loop closes it. */
  follow(request: LogRequest): AsyncGenerator<Uint8Array, void>;
}

export const podLogs = (transport: KubeTransport): PodLogs => ({
  async read(request) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of pieces(await open(transport, request, false), request)) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
  async *follow(request) {
    yield* pieces(await open(transport, request, true), request);
  },
});

const open = (transport: KubeTransport, request: LogRequest, follow: boolean): Promise<KubeBody> =>
  transport({
    path: `${objectPath(PODS, request)}/log`,
    query: { container: request.container, limitBytes: request.limitBytes, follow: follow || undefined },
    signal: request.signal,
    idleTimeoutMs: request.idleTimeoutMs ?? (follow ? 600_000 : 60_000),
  });

async function* pieces(body: KubeBody, { limitBytes }: LogRequest): AsyncGenerator<Uint8Array, void> {
  let left = limitBytes;
  for await (const chunk of body) {
    if (chunk.length >= left) return void (yield chunk.subarray(0, left));
    left -= chunk.length;
    yield chunk;
  }
}
