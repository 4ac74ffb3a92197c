import { ANNOTATIONS } from "@glovebox/k8s";
import { type KubeTransport, requestJson } from "@glovebox/kube";

/** What decisions need to know of a namespace. */
export interface NamespaceFacts {
  /** No other namespace, of this cluster or another, has it. */
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The account that Scans are charged to which name none. */
  readonly account: string | undefined;
  /** Names of all accounts that its Scans may be charged to, that one among them. */
  readonly accounts: ReadonlySet<string>;
  /** Patterns of the hosts that its Scans may name; undefined: any. */
  readonly targets: readonly string[] | undefined;
}

/** The host is one that the Scans of the namespace may name. `host` is as URL.hostname has it. */
export const mayBeTarget = (host: string, { targets }: Pick<NamespaceFacts, "targets">): boolean =>
  !targets || targets.some((one) => (one.startsWith("*.") ? host.endsWith(one.slice(1)) : host === one));

/** Asks the API server, unless it has lately; `fresh`: always. */
export type NamespaceReader = (name: string, how?: "fresh") => Promise<NamespaceFacts>;

export interface Namespaces {
  readonly read: NamespaceReader;
  /** What was read last, however long ago. */
  known(name: string): NamespaceFacts | undefined;
}

const MAX_AGE_MS = 30_000;

/** Reads each namespace from the API server, at most once in half a minute unless `fresh` is asked for. */
export function namespaceReader(deps: {
  readonly transport: KubeTransport;
  readonly monotonic: () => number;
}): Namespaces {
  const { transport, monotonic } = deps;
  const held = new Map<string, { readonly facts: NamespaceFacts; readonly at: number }>();
  const read: NamespaceReader = async (name, how) => {
    const last = held.get(name);
    const at = monotonic();
    if (last && how !== "fresh" && at - last.at < MAX_AGE_MS) return last.facts;
    const path = `/api/v1/namespaces/${encodeURIComponent(name)}`;
    const facts = factsOf(await requestJson<NamespaceObject>(transport, { path }));
    held.set(name, { facts, at });
    return facts;
  };
  return { read, known: (name) => held.get(name)?.facts };
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
  const accounts = new Set([...listed(annotations[ANNOTATIONS.accounts]), ...(account ? [account] : [])]);
  const hosts = annotations[ANNOTATIONS.targets];
  const targets = hosts === undefined ? undefined : listed(hosts).map((host) => host.toLowerCase());
  return { uid, labels, account, accounts, targets };
}

const listed = (text = ""): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
