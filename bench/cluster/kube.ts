import { homedir } from "node:os";
import { join } from "node:path";
import {
  createKubeClient,
  isRetryable,
  kubeconfigConnection,
  requestJson,
  type KubeTransport,
} from "@glovebox/kube";

/** The cluster of KUBECONFIG. */
export interface Cluster extends AsyncDisposable {
  readonly transport: KubeTransport;
  /** Sends an object to a collection. */
  create(path: string, body: object): Promise<void>;
  /** Deletes all of a collection, and what they own after them. */
  deleteAll(path: string): Promise<void>;
  /** How many a collection has, of those with these labels. */
  count(path: string, labelSelector?: string): Promise<number>;
}

/** A machine that also carries the cluster may take long to delete thousands of objects. */
const PATIENCE_MS = 120_000;

/** To delete one collection. */
const MOST_REQUESTS = 10;

export async function openCluster(): Promise<Cluster> {
  const connection = await kubeconfigConnection(process.env["KUBECONFIG"] ?? join(homedir(), ".kube/config"));
  const { transport, close } = createKubeClient(connection, {
    userAgent: "glovebox-bench",
    timeoutMs: PATIENCE_MS,
  });
  return {
    transport,
    async create(path, body) {
      await requestJson(transport, { method: "POST", path, body });
    },
    async deleteAll(path) {
      const body = { propagationPolicy: "Background", gracePeriodSeconds: 0 };
      for (let left = MOST_REQUESTS; ; left--) {
        try {
          return void (await requestJson(transport, { method: "DELETE", path, body }));
        } catch (error) {
          // The server gives a request a minute, and goes on with what is left when it is asked again.
          if (left === 0 || !isRetryable(error)) throw error;
        }
      }
    },
    async count(path, labelSelector) {
      const query = { limit: 1, labelSelector };
      const { items, metadata } = await requestJson<ListOfObjects>(transport, { path, query });
      return items.length + (metadata.remainingItemCount ?? 0);
    },
    [Symbol.asyncDispose]: async () => close(),
  };
}

interface ListOfObjects {
  readonly items: readonly unknown[];
  readonly metadata: { readonly remainingItemCount?: number };
}

/** Does something for each item, so many at a time, in their order. */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
