import { PooledKubeConfig } from "../../controller/src/runtime/pooled-kube-config.ts";
import { isRetryable } from "../../controller/src/runtime/kube-error.ts";
import { createTransport, type KubeTransport } from "../../controller/src/runtime/kube-transport.ts";

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

export function openCluster(): Cluster {
  const config = new PooledKubeConfig({ timeoutMs: PATIENCE_MS });
  config.loadFromDefault();
  const transport = createTransport(config);
  return {
    transport,
    async create(path, body) {
      const answer = await transport({ method: "POST", path, body });
      await answer.dump();
    },
    async deleteAll(path) {
      const body = { propagationPolicy: "Background", gracePeriodSeconds: 0 };
      for (let left = MOST_REQUESTS; ; left--) {
        try {
          return await (await transport({ method: "DELETE", path, body })).dump();
        } catch (error) {
          // The server gives a request a minute, and goes on with what is left when it is asked again.
          if (left === 0 || !isRetryable(error)) throw error;
        }
      }
    },
    async count(path, labelSelector) {
      const answer = await transport({ path, query: { limit: 1, labelSelector } });
      const { items, metadata } = (await answer.json()) as ListOfObjects;
      return items.length + (metadata.remainingItemCount ?? 0);
    },
    [Symbol.asyncDispose]: () => config.close(),
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
