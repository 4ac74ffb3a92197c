import { ANNOTATIONS } from "@glovebox/k8s";
import { type KubeTransport, readJson } from "./runtime/kube-transport.ts";

/** What decisions need to know of the namespace of scans. */
export interface NamespaceFacts {
  /** No other namespace, of this cluster or another, has it. */
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The account that Scans are charged to which name none. */
  readonly account: string | undefined;
}

/** Reads it from the API server, at most once in `maxAgeMs`. */
export function namespaceReader(
  name: string,
  deps: { readonly transport: KubeTransport; readonly monotonic: () => number; readonly maxAgeMs?: number },
): () => Promise<NamespaceFacts> {
  const { transport, monotonic, maxAgeMs = 30_000 } = deps;
  let held: { facts: NamespaceFacts; at: number } | undefined;
  return async () => {
    if (held && monotonic() - held.at < maxAgeMs) return held.facts;
    const at = monotonic();
    const body = await transport({ path: `/api/v1/namespaces/${encodeURIComponent(name)}` });
    const { metadata = {} } = await readJson<NamespaceObject>("get namespaces", body);
    const { uid = "", labels = {}, annotations } = metadata;
    const facts = { uid, labels, account: annotations?.[ANNOTATIONS.account] };
    held = { facts, at };
    return facts;
  };
}

interface NamespaceObject {
  readonly metadata?: {
    readonly uid?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}
