import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { parseAddress } from "./address.ts";

/** A parsed host; addresses and names are in normal form. */
export type ParsedHost =
  | { readonly kind: "address"; readonly address: string }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "malformed"; readonly reason: string };

/**
 * Parses a host as liberally as any URL parser or resolver would: octal, hexadecimal, shortened and 32-bit IPv4
 * (inet_aton), brackets, upper case, percent-encoding, full-width digits, trailing dots (WHATWG URL, section 3.5).
 * A host that some would read as an address and others would not is malformed.
 */
export function parseHostAddress(host: string): ParsedHost {
  if (/[[\]:]/.test(host)) return parseBracketed(host);
  const ascii = toAscii(host);
  if (ascii === undefined) return malformed("it is not a host name");
  const labels = ascii.replace(/\.+$/, "").split(".");
  if (isNumber(labels.at(-1)!)) return parseNumeric(labels);
  if (labels.some((label) => label === "")) return malformed("it has an empty label");
  if (!labels.every((label) => /^[\w-]+$/.test(label)))
    return malformed("it has a character that a host name cannot have");
  if (labels.some((label) => label.length > 63) || labels.join(".").length > 253)
    return malformed("it is too long");
  return { kind: "name", name: labels.join(".") };
}

const malformed = (reason: string): ParsedHost => ({ kind: "malformed", reason });

function parseBracketed(host: string): ParsedHost {
  const text = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  if (text.includes("%")) return malformed("it has a zone id");
  const address = text.includes(":") ? parseAddress(text) : undefined;
  return address ? { kind: "address", address: address.toString() } : malformed("it is not an IPv6 address");
}

function toAscii(host: string): string | undefined {
  const decoded = percentDecoded(host);
  // The compatibility forms first, so that nothing which only then becomes a delimiter slips through.
  if (decoded === undefined || !/^[^\s#%/:<>?@[\\\]^|\p{Cc}]+$/u.test(decoded.normalize("NFKC")))
    return undefined;
  return domainToASCII(decoded) || undefined;
}

function percentDecoded(host: string): string | undefined {
  try {
    return decodeURIComponent(host);
  } catch {
    return undefined;
  }
}

const isNumber = (label: string): boolean => /^(?:\d+|0x[\da-f]*)$/i.test(label);

// `domainToASCII` has read octal, hexadecimal and shortened forms too, but for those behind several trailing dots.
function parseNumeric(labels: readonly string[]): ParsedHost {
  const text = labels.join(".");
  return ipaddr.IPv4.isValid(text)
    ? { kind: "address", address: ipaddr.IPv4.parse(text).toString() }
    : malformed("it is not an IPv4 address");
}
