import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KubeConnectionError, type KubeConnection, type KubeCredentials } from "./connection.ts";

/** Where the kubelet puts the service account of a pod. */
const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
/** A bound token is replaced long before it expires, but only on disk. */
const REREAD_MS = 60_000;

export interface InClusterOptions {
  /** KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT, which every pod is given. */
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly now: () => Date;
  readonly folder?: string;
}

/**
 * The API server of the cluster that this process runs in, asked as the pod's service account. Token and authority are
 * read again once a minute.
 * @throws KubeConnectionError outside a pod.
 */
export function inClusterConnection(options: InClusterOptions): KubeConnection {
  const { host, port = "443", now, folder = SERVICE_ACCOUNT } = options;
  if (!host)
    throw new KubeConnectionError("KUBERNETES_SERVICE_HOST: is not set; set KUBECONFIG outside a pod");
  let read: { readonly at: number; readonly credentials: Promise<KubeCredentials> } | undefined;
  return {
    host,
    port: Number(port),
    credentials() {
      const at = now().getTime();
      if (!read || at - read.at >= REREAD_MS) {
        const credentials = readCredentials(folder);
        read = { at, credentials };
        credentials.catch(() => (read = undefined));
      }
      return read.credentials;
    },
  };
}

async function readCredentials(folder: string): Promise<KubeCredentials> {
  const [token, ca] = await Promise.all(
    ["token", "ca.crt"].map(async (file) => (await readFile(join(folder, file), "utf8")).trim()),
  );
  return { token, ca };
}
