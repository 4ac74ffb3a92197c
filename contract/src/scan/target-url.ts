import { ApiError } from "../errors.ts";

/** Longest accepted URL, in characters: common proxies accept as much. */
export const MAX_URL_LENGTH = 2048;

/**
 * The address to scan, in its normal form: host lower-case and punycoded, default port dropped, query kept.
 * Checks the text alone; the egress policy decides whether its host may be reached.
 * @throws ApiError `invalid_url`, naming the field and the reason.
 */
export function parseTargetUrl(field: "url" | "specUrl", value: unknown, schemes?: Schemes): URL {
  const read = readTargetUrl(value, schemes);
  if (typeof read === "string") throw new ApiError("invalid_url", read, { field });
  return read;
}

/**
 * Schemes of a target: `/v1` takes HTTPS only; the command line, the dashboard and Scan resources also plain HTTP, which the egress
 * policy then restricts.
 */
export type Schemes = "https" | "https or http";

/** The same; a string is the reason why the value is refused. */
export function readTargetUrl(value: unknown, schemes: Schemes = "https"): URL | string {
  if (value === undefined) return "is required";
  const text = typeof value === "string" ? textError(value) : "must be a string";
  if (text !== undefined) return text;

  const url = new URL(value as string);
  url.hostname = url.hostname.replace(/\.$/, "");
  return schemeError(url, schemes) ?? addressError(url, value as string) ?? url;
}

function textError(value: string): string | undefined {
  if (value.length > MAX_URL_LENGTH) return `is longer than ${MAX_URL_LENGTH} characters`;
  // The WHATWG parser drops these silently, so the displayed URL would differ from the requested one.
  if (/[\u0000-\u0020\u007f\\]/.test(value)) return "contains a space, a backslash or a control character";
  if (!value.isWellFormed()) return "contains a lone surrogate";
  return URL.canParse(value) ? undefined : "is not a valid URL";
}

function schemeError({ protocol }: URL, schemes: Schemes): string | undefined {
  if (protocol === "https:" || (protocol === "http:" && schemes === "https or http")) return undefined;
  return schemes === "https" ? "must be HTTPS" : "must be an https:// or http:// address";
}

function addressError(url: URL, written: string): string | undefined {
  if (!/^https?:\/\/[^/]/i.test(written)) return "is not a valid URL";
  if (url.username || url.password || /^[^/?#]*@/.test(written.replace(/^https?:\/\//i, "")))
    return "must not carry a user name or password";
  if (written.includes("#")) return "must not carry a fragment";
  if (url.port === "0") return "has no usable port";
  if (!isHostName(url.hostname)) return "has no usable host name";
  const tooLong = url.href.length > MAX_URL_LENGTH;
  return tooLong ? `is longer than ${MAX_URL_LENGTH} characters once percent-encoded` : undefined;
}

function isHostName(host: string): boolean {
  if (host.startsWith("[")) return true; // the parser refuses what is not an IPv6 address
  return host.length <= 253 && host.split(".").every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
}
