import { ANNOTATIONS } from "@glovebox/k8s";
import { type KubeTransport, requestJson } from "@glovebox/kube";

/** The facts about a namespace that decisions need. */
export interface NamespaceFacts {
  /** Unique, also across clusters. */
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The account of Scans that name none. */
  readonly account: string | undefined;
  /** Names of all accounts that its Scans may use, including the default one. */
  readonly accounts: ReadonlySet<string>;
  /** Patterns of the hosts that its Scans may name; undefined: any. */
  readonly targets: readonly string[] | undefined;
  /** Secrets of the namespace of scan pods that its Scans may name. */
  readonly identities: ReadonlySet<string>;
}

/** Whether the Scans of the namespace may name this host (URL.hostname). */
export const mayBeTarget = (host: string, { targets }: Pick<NamespaceFacts, "targets">): boolean =>
  !targets || targets.some((one) => (one.startsWith("*.") ? host.endsWith(one.slice(1)) : host === one));

/** Reads the namespace, from a cache unless `fresh`. */
export type NamespaceReader = (name: string, how?: "fresh") => Promise<NamespaceFacts>;

export interface Namespaces {
  readonly read: NamespaceReader;
  /** The last facts that were read, of any age. */
  known(name: string): NamespaceFacts | undefined;
}

const MAX_AGE_MS = 30_000;

/** Reads namespaces from the API server and caches them for 30 seconds. */
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
  const identities = new Set(listed(annotations[ANNOTATIONS.identities]));
  return { uid, labels, account, accounts, targets, identities };
}

const listed = (text = ""): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
