import { internalAddressesIn } from "./internal-addresses.ts";
import { siteOf } from "./site.ts";

/** An address that a service sends requests to or takes keys from, and the name that it stands under. */
export interface UpstreamAddress {
  readonly name: string;
  readonly url: string;
}

const MAX_DEPTH = 6;
const MAX_VALUES = 2000;

/** Addresses in an answer under names that say that the service itself uses them: `jwks_uri`, `upstream`, `callbackUrl`. */
export function upstreamAddressesIn(json: unknown): UpstreamAddress[] {
  const found: UpstreamAddress[] = [];
  let level: [string, unknown][] = [["", json]];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    for (const [name, value] of level)
      if (typeof value === "string" && isUpstreamName(name) && isAddress(value))
        found.push({ name, url: value });
    level = level.flatMap(membersOf).slice(0, MAX_VALUES);
  }
  return found;
}

/** True for names of settings that say where a service's own requests go. */
export const isUpstreamName = (name: string): boolean => UPSTREAM.test(name.replace(/[^a-z]/gi, ""));

/** Why an address is unsafe to rely on; undefined when it is not, or leads to the target itself or to loopback. */
export function insecurityOf(
  { name, url }: UpstreamAddress,
  ownHost: string,
): "without encryption" | "in an internal network" | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  if (siteOf(hostname) === siteOf(ownHost) || HARMLESS_HOST.test(hostname)) return undefined;
  if (internalAddressesIn(`//${hostname}`).length > 0) return "in an internal network";
  const isPlain = protocol === "http:" || protocol === "ws:";
  return isPlain && !MAY_BE_A_CITATION.test(name) ? "without encryption" : undefined;
}

const isAddress = (text: string): boolean => text.length <= 2000 && /^(https?|wss?):\/\/[^\s/]/i.test(text);

/** Items of a list stand under the name of their list. */
function membersOf([name, value]: [string, unknown]): [string, unknown][] {
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => [name, item]);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

const UPSTREAM =
  /^(.*(upstream|webhook|callback|backend|jwks)(ur[il]|host|address|endpoint)?s?|jwks(uri)?|(token|authorization|introspection|revocation|userinfo|endsession|service|api|source|provider|proxy|gateway|target|sync)(endpoint|ur[il])|endpoint|service|source|proxy|openidconnecturl)$/i;
/** A public address under these names may be where a text comes from. */
const MAY_BE_A_CITATION = /^(source|service|provider)(ur[il])?$/i;
/** Loopback never leaves the machine; names reserved for examples lead nowhere (RFC 2606). */
const HARMLESS_HOST =
  /^(localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$|(^|\.)example(\.(com|net|org))?$|\.(invalid|localhost)$|^(www\.)?(w3|schema|json-schema|swagger|openapis)\.org$/i;
