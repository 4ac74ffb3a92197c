import { ApiError } from "@glovebox/contract";
import type { KubeClient } from "./kube-client.ts";

/** What tells this installation from others that share its database (docs/adr/0011). */
export interface Installation {
  /** Its identity, read once. Rejects with the ApiError `unavailable` as long as it could not be read. */
  id(): Promise<string>;
  /** Reads it again: a namespace may have been deleted and made anew. Rejects with `KubeFailure`. */
  refresh(): Promise<void>;
}

const RETRY_AFTER_SECONDS = "5";

/** The uid of the scan namespace: no other cluster and no other namespace has it. */
export function installationOf(client: Pick<KubeClient, "call">, namespace: string): Installation {
  let known: string | undefined;
  const refresh = async (): Promise<void> => {
    const call = { name: "get namespace", method: "GET", path: `/api/v1/namespaces/${namespace}` } as const;
    const { metadata } = (await client.call(call)) as { metadata: { uid: string } };
    known = metadata.uid;
  };
  return {
    refresh,
    async id() {
      if (known === undefined) await refresh().catch(unavailable);
      return known!;
    },
  };
}

function unavailable(cause: unknown): never {
  const headers = { "Retry-After": RETRY_AFTER_SECONDS };
  throw Object.assign(
    new ApiError("unavailable", "The cluster is not available; try again shortly.", headers),
    { cause },
  );
}
