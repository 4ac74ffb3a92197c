import type { Exchange } from "@glovebox/contract";

const headerLines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/** A request as it goes over the wire, with its full URL. */
export const requestText = ({ request: { method, url, headers, body } }: Pick<Exchange, "request">): string =>
  [`${method} ${url}`, ...headerLines(headers), ...(body === undefined ? [] : ["", body])].join("\n");

/** A response as it comes over the wire. A status of 0 means that there was none, as for a TLS handshake. */
export const responseText = ({ response: { status, headers, body } }: Pick<Exchange, "response">): string =>
  [
    status === 0 ? "(no HTTP response)" : `HTTP ${status}`,
    ...headerLines(headers),
    ...(body ? ["", body] : []),
  ].join("\n");

/**
 * The first attack beside the control that was sent for it: the last control before it, or else the first one after it.
 * Undefined without an attack.
 */
export function comparisonOf(
  exchanges: readonly Exchange[],
): { readonly attack: Exchange; readonly control: Exchange | undefined } | undefined {
  const index = exchanges.findIndex(({ role }) => role === "attack");
  if (index < 0) return undefined;
  const isControl = ({ role }: Exchange): boolean => role === "control" || role === "baseline";
  const control = exchanges.slice(0, index).findLast(isControl) ?? exchanges.slice(index).find(isControl);
  return { attack: exchanges[index]!, control };
}
