import { isIP } from "node:net";
import { createEgressPolicy, type EgressAllowance, type EgressPolicy } from "@glovebox/egress";
import { ApiServerAddresses, API_SERVER_ENDPOINTS_RIGHT } from "@glovebox/k8s";
import type { Logger } from "pino";
import type { KubeConnection } from "./connection.ts";
import type { KubeClient } from "./kube-client.ts";
import { KubeFailure } from "./kube-failure.ts";

export interface LivePolicyParts {
  readonly allow: readonly EgressAllowance[];
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly logger: Logger;
}

export interface LivePolicy {
  /** Judges by what is known at that moment. */
  readonly policy: EgressPolicy;
  /** Resolves after the first look at where the API servers are, and goes on looking. */
  start(): Promise<void>;
  stop(): void;
}

/**
 * The egress policy of a cluster, whose API servers may move. Until they were read, or where they may not be, it does not
 * know them; the controller, which judges every target again, reads them for itself.
 */
export function livePolicy({ allow, client, connection, logger }: LivePolicyParts): LivePolicy {
  const servers = new ApiServerAddresses({
    read: (path) => client.call({ name: "read the endpoints of the API server", method: "GET", path }),
    onFailure: (error) =>
      logger.warn(
        {
          error: error instanceof KubeFailure ? error.message : "unknown",
          right: API_SERVER_ENDPOINTS_RIGHT,
        },
        "The addresses of the API servers cannot be read",
      ),
  });
  const own = isIP(connection.host) === 0 ? [] : [connection.host];
  let made: { readonly of: readonly string[]; readonly policy: EgressPolicy } | undefined;
  const current = (): EgressPolicy => {
    const { list } = servers;
    if (made?.of !== list)
      made = { of: list, policy: createEgressPolicy({ allow, controlPlane: [...own, ...list] }) };
    return made.policy;
  };
  return {
    policy: {
      judge: (...args) => current().judge(...args),
      allowsName: (...args) => current().allowsName(...args),
    },
    start: () => servers.start(),
    stop: () => servers.stop(),
  };
}
