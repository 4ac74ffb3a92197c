import type { AddressInfo } from "node:net";
import { isLoopback } from "../settings/oidc-providers.ts";

/**
 * Where browsers reach the service: the setting, or where a service listens that only this machine reaches. By name, because
 * passkeys are not for addresses (Web Authentication, section 5.1.3). Undefined: not known; never taken from a Host header,
 * which the client chooses.
 */
export function publicUrlOf(setting: URL | undefined, listening: AddressInfo | null): URL | undefined {
  if (setting) return setting;
  const isLocal = listening?.address === "127.0.0.1" || listening?.address === "::1";
  return isLocal ? new URL(`http://localhost:${listening.port}`) : undefined;
}

/** Why nobody can sign in at this address; undefined: everybody can. */
export function signInRefusal(publicUrl: URL | undefined): string | undefined {
  if (!publicUrl)
    return "Sign-in is off: the service does not know its address. Set GLOVEBOX_PUBLIC_URL to the https:// address that browsers use.";
  if (publicUrl.protocol === "https:" || isLoopback(publicUrl)) return undefined;
  return (
    "Sign-in is off: GLOVEBOX_PUBLIC_URL is an http:// address, for which browsers discard the session cookie, and anyone on " +
    "the network path could read it. Serve Glovebox over https://, or on this machine only."
  );
}
