import { readFile } from "node:fs/promises";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { type Clock, systemClock } from "../timing/clock.ts";

/** Credentials: PEM texts and a bearer token. */
export interface KubeCredentials {
  /** Authorities that may sign the API server's certificate; the system's when undefined. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The address of a Kubernetes API server, and how to authenticate. */
export interface KubeConnection {
  /** `https:`, or `http:` in tests. A path is put before the paths of the API. */
  readonly server: URL;
  /** The name to expect in the server's certificate; the host of `server` when undefined. */
  readonly serverName?: string | undefined;
  /** True: any certificate of the server is accepted. */
  readonly insecure?: boolean | undefined;
  /** The current credentials: tokens and certificates on disk are replaced while the process runs. */
  credentials(): Promise<KubeCredentials>;
}

/** The configuration of the connection is invalid; the message names the field and contains no secret. */
export class KubeConnectionError extends Error {
  override readonly name = "KubeConnectionError";
}

/** Where the kubelet puts the service account of a pod. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

export interface InClusterOptions {
  /** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which every pod is given. */
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly clock?: Pick<Clock, "monotonic">;
  readonly folder?: string;
}

/**
 * The API server of the cluster that this process runs in, with the service account of the pod.
 * @throws KubeConnectionError outside a pod.
 */
export function inClusterConnection(options: InClusterOptions): KubeConnection {
  const { host, port = "443", clock, folder = SERVICE_ACCOUNT } = options;
  if (!host)
    throw new KubeConnectionError("KUBERNETES_SERVICE_HOST: is not set; set KUBECONFIG outside a pod");
  const files = { token: { file: join(folder, "token") }, ca: { file: join(folder, "ca.crt") } };
  return {
    server: new URL(`https://${isIPv6(host) ? `[${host}]` : host}:${port}`),
    credentials: credentialsReader(files, clock),
  };
}

/** One of the credentials: its text, or the file that holds it. */
export type CredentialSource = { readonly text: string } | { readonly file: string } | undefined;

/** A bound token is replaced long before it expires, but only on disk. */
const REREAD_MS = 60_000;

/** Reads the files at the first call, and again once a minute. A read that failed is repeated at the next call. */
export function credentialsReader(
  sources: { readonly [Name in keyof KubeCredentials]: CredentialSource },
  { monotonic }: Pick<Clock, "monotonic"> = systemClock,
): KubeConnection["credentials"] {
  let last: { readonly at: number; readonly credentials: Promise<KubeCredentials> } | undefined;
  return () => {
    const at = monotonic();
    if (!last || at - last.at >= REREAD_MS) {
      const credentials = readAll(sources);
      last = { at, credentials };
      credentials.catch(() => (last = undefined));
    }
    return last.credentials;
  };
}

async function readAll(sources: Parameters<typeof credentialsReader>[0]): Promise<KubeCredentials> {
  const texts = Object.entries(sources).map(async ([name, source]: [string, CredentialSource]) => {
    if (source === undefined) return [name, undefined] as const;
    return [name, "text" in source ? source.text : (await readFile(source.file, "utf8")).trim()] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
