/**
 * The part of a host name that one owner registers: its last two labels, or three below names such as `co.uk`.
 * An approximation of the public suffix list, good enough to tell a subdomain from another company.
 */
export function siteOf(host: string): string {
  if (/^[\d.]+$|:/.test(host)) return host;
  const labels = host.toLowerCase().replace(/\.$/, "").split(".");
  const isShared = labels.length > 2 && labels.at(-1)!.length === 2 && SHARED.has(labels.at(-2)!);
  return labels.slice(isShared ? -3 : -2).join(".");
}

const SHARED = new Set(["co", "com", "net", "org", "gov", "ac", "edu", "gob", "or", "ne"]);
