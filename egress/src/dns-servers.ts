import { isIP } from "node:net";

/**
 * Addresses of name servers, with a port or without, separated by commas; IPv6 with a port in brackets.
 * @throws Error that names the entry which is none.
 */
export function parseDnsServers(text: string): string[] {
  const servers = text.split(",").map((entry) => entry.trim());
  return servers.filter((entry) => entry !== "").map(serverOf);
}

function serverOf(entry: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const isServer = bracketed === undefined ? isIP(plain ?? entry) !== 0 : isIP(bracketed) === 6;
  if (!isServer || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)))
    throw new Error(
      `"${entry}" is not the address of a name server, such as 10.0.0.53 or [2001:db8::53]:5353`,
    );
  return entry;
}
