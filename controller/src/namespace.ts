import { ANNOTATIONS } from "@glovebox/k8s";
import { type KubeTransport, readJson } from "./runtime/kube-transport.ts";

/** What decisions need to know of a namespace. */
export interface NamespaceFacts {
  /** No other namespace, of this cluster or another, has it. */
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The account that Scans are charged to which name none. */
  readonly account: string | undefined;
  /** Names of all accounts that its Scans may be charged to, that one among them. */
  readonly accounts: ReadonlySet<string>;
}

/** Asks the API server, unless it has lately; `fresh`: always. */
export type NamespaceReader = (name: string, how?: "fresh") => Promise<NamespaceFacts>;

const MAX_AGE_MS = 30_000;

/** Reads each namespace from the API server, at most once in half a minute unless told otherwise. */
export function namespaceReader(deps: {
  readonly transport: KubeTransport;
  readonly monotonic: () => number;
}): NamespaceReader {
  const { transport, monotonic } = deps;
  const held = new Map<string, { readonly facts: NamespaceFacts; readonly at: number }>();
  return async (name, how) => {
    const last = held.get(name);
    const at = monotonic();
    if (last && how !== "fresh" && at - last.at < MAX_AGE_MS) return last.facts;
    const body = await transport({ path: `/api/v1/namespaces/${encodeURIComponent(name)}` });
    const facts = factsOf(await readJson<NamespaceObject>("get namespaces", body));
    held.set(name, { facts, at });
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

function factsOf({ metadata = {} }: NamespaceObject): NamespaceFacts {
  const { uid = "", labels = {}, annotations = {} } = metadata;
  const account = annotations[ANNOTATIONS.account] || undefined;
  const listed = (annotations[ANNOTATIONS.accounts] ?? "").split(",").map((name) => name.trim());
  const accounts = new Set([...listed, account].filter((name) => name !== undefined && name !== ""));
  return { uid, labels, account, accounts: accounts as ReadonlySet<string> };
}
