/** PEM texts and a bearer token; what a cluster does not ask for is undefined. */
export interface KubeCredentials {
  /** Authorities that may vouch for the API server; undefined: the usual ones. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Where the Kubernetes API server is, and who asks. */
export interface KubeConnection {
  readonly host: string;
  readonly port: number;
  /** As they are now: tokens and authorities on disk are replaced while the process runs. */
  credentials(): Promise<KubeCredentials>;
}

/** The connection cannot be made from what was configured; the message names the field and holds no secret. */
export class KubeConnectionError extends Error {
  override readonly name = "KubeConnectionError";
}
