import { isIP } from "node:net";
import { ApiError } from "./errors.ts";
import { MAX_URL_LENGTH } from "./scan.ts";

/**
 * The address to scan, in its normal form: host lower-case and punycoded, default port dropped, query kept.
 * Judges the text alone; whether its host may be reached is the egress policy's to say.
 * @throws ApiError `invalid_url`, naming the field and the reason.
 */
export function parseTargetUrl(field: "url" | "specUrl", value: unknown): URL {
  const refuse = (reason: string): never => {
    throw new ApiError("invalid_url", `${field}: ${reason}`);
  };
  if (value === undefined) return refuse("is required");
  if (typeof value !== "string") return refuse("must be a string");
  if (value.length > MAX_URL_LENGTH) return refuse(`is longer than ${MAX_URL_LENGTH} characters`);
  // The WHATWG parser silently drops these; an address that reads otherwise than it is fetched is refused.
  // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
  if (/[\u0000-\u0020\u007f\\]/.test(value))
    return refuse("contains a space, a backslash or a control character");
  if (!value.isWellFormed()) return refuse("contains a lone surrogate");
  if (!URL.canParse(value)) return refuse("is not a valid URL");

  const url = new URL(value);
  if (url.protocol !== "https:") return refuse("must be HTTPS");
  if (!/^https:\/\/[^/]/i.test(value)) return refuse("is not a valid URL");
  if (url.username || url.password || /^[^/?#]*@/.test(value.slice("https://".length)))
    return refuse("must not carry a user name or password");
  if (value.includes("#")) return refuse("must not carry a fragment");
  if (url.port === "0") return refuse("has no usable port");
  url.hostname = url.hostname.replace(/\.$/, "");
  if (!isHostName(url.hostname)) return refuse("has no usable host name");
  return url;
}

function isHostName(host: string): boolean {
  if (host.startsWith("[")) return isIP(host.slice(1, -1)) === 6;
  if (isIP(host) === 4) return true;
  return host.length <= 253 && host.split(".").every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
}
