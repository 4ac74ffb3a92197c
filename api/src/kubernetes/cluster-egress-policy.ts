import { isIP } from "node:net";
import { hostOf } from "@glovebox/contract";
import { createEgressPolicy, type EgressAllowance, type EgressPolicy } from "@glovebox/egress";
import {
  ApiServerAddresses,
  API_SERVER_ENDPOINTS_RIGHT,
  loggable,
  type KubeConnection,
  type KubeTransport,
} from "@glovebox/kube";
import type { Logger } from "pino";

export interface ClusterEgressPolicyParts {
  readonly allow: readonly EgressAllowance[];
  readonly transport: KubeTransport;
  readonly connection: Pick<KubeConnection, "server">;
  readonly logger: Logger;
}

export interface ClusterEgressPolicy {
  /** Uses the addresses that are known at the time of the call. */
  readonly policy: EgressPolicy;
  /** Resolves once the addresses of the API servers were first read, and keeps them up to date. */
  start(): Promise<void>;
  stop(): void;
}

/**
 * The egress policy of a cluster, which denies the addresses of its API servers. They may change, and are not known until they
 * were read or without the permission; the controller checks every target again.
 */
export function clusterEgressPolicy({
  allow,
  transport,
  connection,
  logger,
}: ClusterEgressPolicyParts): ClusterEgressPolicy {
  const servers = new ApiServerAddresses({
    transport,
    onFailure: (error) =>
      logger.warn(
        { error: loggable(error), right: API_SERVER_ENDPOINTS_RIGHT },
        "API server addresses could not be read",
      ),
  });
  const host = hostOf(connection.server);
  const own = isIP(host) === 0 ? [] : [host];
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
