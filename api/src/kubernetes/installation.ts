import { ApiError } from "@glovebox/contract";
import { requestJson, type KubeTransport } from "@glovebox/kube";

/** What tells this installation from others that share its database (docs/adr/0011). */
export interface Installation {
  /** Its identity, read once. Rejects with the ApiError `unavailable` as long as it could not be read. */
  id(): Promise<string>;
  /** Reads it again: a namespace may have been deleted and made anew. Rejects with `KubeError`. */
  refresh(): Promise<void>;
}

const RETRY_AFTER_SECONDS = "5";

/** The uid of the scan namespace: no other cluster and no other namespace has it. */
export function installationOf(transport: KubeTransport, namespace: string): Installation {
  let known: string | undefined;
  const refresh = async (): Promise<void> => {
    const path = `/api/v1/namespaces/${namespace}`;
    const { metadata } = await requestJson<{ metadata: { uid: string } }>(transport, { path });
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
