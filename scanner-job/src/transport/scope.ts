import type { LookupFunction } from "node:net";
import type { Pin } from "@glovebox/contract";
import { NetworkError } from "./network-error.ts";

/**
 * Where a scan may connect: the pinned addresses and ports of its order, nothing else. Enforced twice: before a request
 * is sent, and where its socket is opened, so that neither a redirect nor DNS rebinding leads anywhere else.
 */
export interface Scope {
  /** @throws NetworkError `out_of_scope` */
  admit(url: URL): void;
  /** Resolves a host to its pinned addresses, without DNS. */
  readonly lookup: LookupFunction;
  addressOf(host: string): string | undefined;
}

export function createScope(pins: readonly Pin[]): Scope {
  const byHost = new Map(pins.map((pin) => [normalHost(pin.host), pin]));

  return {
    admit(url) {
      const pin = byHost.get(normalHost(url.hostname));
      if (!pin?.ports.includes(portOf(url))) {
        throw new NetworkError("out_of_scope", `${url.host} is outside the scan's scope`);
      }
    },
    lookup(host, options, done) {
      const pinned = byHost.get(normalHost(host))?.addresses ?? [];
      const found = pinned.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      const [first] = found;
      if (!first)
        return done(Object.assign(new Error(`${host} is not pinned`), { code: "ENOTFOUND" }), "", 0);
      return options.all ? done(null, found) : done(null, first.address, first.family);
    },
    addressOf: (host) => byHost.get(normalHost(host))?.addresses[0],
  };
}

export const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

const normalHost = (host: string): string =>
  host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
