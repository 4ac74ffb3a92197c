import { getDomain } from "tldts";
import { nameOf, walk } from "../json.ts";
import { lettersOf } from "../names.ts";

/** Characters of a text that are searched. */
const SEARCHED = 256 * 1024;

/**
 * Addresses of a private network (RFC 1918) and host names that only resolve inside one; at most 5, each once.
 * What a caller's own address may be (`"ip": "10.0.0.7"`) and versions of four numbers are left out.
 */
export function internalAddressesIn(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: value, index } of text.slice(0, SEARCHED).matchAll(CANDIDATE)) {
    if (found.size < 5 && !ABOUT_THE_CALLER.test(text.slice(Math.max(0, index - 40), index)))
      found.add(value);
  }
  return [...found];
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const PRIVATE = `(?:10\\.${OCTET}|172\\.(?:1[6-9]|2\\d|3[01])|192\\.168)\\.${OCTET}\\.${OCTET}`;
const NAME = "(?:[a-z\\d][a-z\\d-]{0,62}\\.){1,6}(?:internal|local|corp|intranet|lan|localdomain)";
const CANDIDATE = new RegExp(
  `(?<![\\w.-])(?:${PRIVATE}(?![\\w-]|\\.\\d|/\\d)|(?<=//|//[^\\s/@"]{1,120}@|"host(?:name)?": ?")${NAME}(?![\\w.-]))`,
  "gi",
);
const ABOUT_THE_CALLER =
  /(client|remote|caller|visitor|forwarded|your|origin|peer|user)[\w-]{0,12}["']?\s*[:=]\s*["']?$|["'\s{](ip|ip_?addr(ess)?)["']?\s*[:=]\s*["']?$|version["']?\s*[:=]\s*["']?v?$|[\w]\/$|version\s+v?$/i;

/** Host names in a text: those in addresses, and those that stand alone as in `Content-Security-Policy`. */
export function hostsIn(text: string): string[] {
  const found = text
    .slice(0, 16_384)
    .matchAll(
      /(?:[a-z][a-z\d+.-]{0,20}:\/\/|(?<=^|[\s,;])(?:\*\.)?)((?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24})(?=[:/\s,;?#]|$)/gi,
    );
  return [...new Set([...found].map(([, host]) => host!.toLowerCase()))];
}

/** True if a label of the host name shows that it is not for production. A public sandbox is a product. */
export const isNonProduction = (host: string): boolean =>
  host
    .toLowerCase()
    .split(".")
    .slice(0, -1)
    .some((label) => NON_PRODUCTION.test(label)) || /\.(internal|local|corp|lan|intranet)$/i.test(host);

const NON_PRODUCTION =
  /^(.*-)?(stag(e|ing)|stg|dev(el(op(ment)?)?)?|qa|uat|pre-?prod(uction)?|non-?prod|testing|internal|integration)\d*(-.*)?$|^test(-.*)?$|.-test$/;

/**
 * The part of a host name that one owner registers, by the public suffix list that comes with the program: `shop.co.uk`, and
 * `shop.github.io`, which is another owner's than `github.io`. A host that has none, such as an address, is its own.
 */
export const siteOf = (host: string): string =>
  getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase().replace(/\.$/, "");

/** An address that a service sends requests to or takes keys from, and the name that it stands under. */
export interface UpstreamAddress {
  readonly name: string;
  readonly url: string;
}

/** URLs in a response under names that indicate that the service itself uses them: `jwks_uri`, `upstream`, `callbackUrl`. */
export function upstreamAddressesIn(json: unknown): UpstreamAddress[] {
  return [...walk(json, { depth: 6, items: 20 })].flatMap((node) => {
    const { value } = node;
    const name = nameOf(node);
    return typeof value === "string" && isUpstreamName(name) && isAddress(value)
      ? [{ name, url: value }]
      : [];
  });
}

/** True for names of settings with the destination of a service's own requests. */
export const isUpstreamName = (name: string): boolean => UPSTREAM.test(lettersOf(name));

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

const UPSTREAM =
  /^(.*(upstream|webhook|callback|backend|jwks)(ur[il]|host|address|endpoint)?s?|jwks(uri)?|(token|authorization|introspection|revocation|userinfo|endsession|service|api|source|provider|proxy|gateway|target|sync)(endpoint|ur[il])|endpoint|service|source|proxy|openidconnecturl)$/i;
/** A public address under these names may be where a text comes from. */
const MAY_BE_A_CITATION = /^(source|service|provider)(ur[il])?$/i;
/** Loopback never leaves the machine; names reserved for examples lead nowhere (RFC 2606). */
const HARMLESS_HOST =
  /^(localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$|(^|\.)example(\.(com|net|org))?$|\.(invalid|localhost)$|^(www\.)?(w3|schema|json-schema|swagger|openapis)\.org$/i;
