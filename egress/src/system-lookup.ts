import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { localNameReason } from "./host.ts";
import type { Lookup } from "./pins.ts";

export interface SystemLookupOptions {
  /** For the whole lookup, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Name servers, as `parseDnsServers` gives them, instead of the servers of resolv.conf; empty: those. */
  readonly servers?: readonly string[];
}

/** Timeout of one query; then it is repeated, or the next name server is queried. In milliseconds. */
const TRY_MS = 1_500;
const TRIES = 3;
/** How long the files of the system are cached, in milliseconds. */
const FILES_MS = 5_000;

/**
 * Resolves a name to its addresses of both families: by the hosts file, else by DNS. Unlike the system's own call it
 * uses no thread while it waits, and is cancelled at its timeout, so that slow names delay no others.
 *
 * A name with a dot is resolved as it is. The search list of resolv.conf is tried for names that are local by nature,
 * such as `payments` or `payments.team.svc`; the egress policy decides whether they may be reached. Other sources, such as mDNS,
 * are not used.
 *
 * Rejects when the name has no address, or none was found in time. When one family gives none in time, the addresses of
 * the other are the result: nothing but them is reached.
 */
export function systemLookup({ timeoutMs = 10_000, servers = [] }: SystemLookupOptions): Lookup {
  const files = rereadFiles();
  return async (host, signal) => {
    if (isIP(host) !== 0) return [host];
    const { hosts, search } = await files();
    const known = hosts.get(host) ?? loopbackOf(host);
    if (known) return known;

    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers([...servers]);
    const over = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
    const callOff = (): void => resolver.cancel();
    over.addEventListener("abort", callOff);
    try {
      for (const name of candidatesOf(host, search)) {
        over.throwIfAborted();
        const found = await addressesOf(name, resolver);
        if (found.length > 0) return found;
      }
    } finally {
      over.removeEventListener("abort", callOff);
    }
    over.throwIfAborted();
    throw new Error("The name has no address");
  };
}

async function addressesOf(name: string, resolver: Resolver): Promise<string[]> {
  const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return responses.flatMap((response) => (response.status === "fulfilled" ? response.value : []));
}

/** The names to ask for, in the order of resolv.conf(5) with `ndots:1`. @internal */
export function candidatesOf(host: string, search: readonly string[]): string[] {
  if (localNameReason(host) === undefined) return [host];
  const searched = search.map((domain) => `${host}.${domain}`);
  return host.includes(".") ? [host, ...searched] : [...searched, host];
}

/** RFC 6761, section 6.3: these always resolve to loopback addresses. */
const loopbackOf = (host: string): string[] | undefined =>
  host === "localhost" || host.endsWith(".localhost") ? ["127.0.0.1", "::1"] : undefined;

interface SystemFiles {
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  readonly search: readonly string[];
}

/** The content of the files of the system, cached for `FILES_MS`. */
function rereadFiles(): () => Promise<SystemFiles> {
  let read: { readonly at: number; readonly files: Promise<SystemFiles> } | undefined;
  return () => {
    const at = performance.now();
    if (!read || at - read.at >= FILES_MS) read = { at, files: readFiles() };
    return read.files;
  };
}

async function readFiles(): Promise<SystemFiles> {
  const [hosts, resolvConf] = await Promise.all(["/etc/hosts", "/etc/resolv.conf"].map(readText));
  return { hosts: parseHosts(hosts!), search: parseSearchList(resolvConf!) };
}

const readText = (path: string): Promise<string> => readFile(path, "utf8").catch(() => "");

/** Names in lower case with their addresses, as hosts(5) describes the file. @internal */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name) ?? [];
      if (!known.includes(address)) hosts.set(name, [...known, address]);
    }
  }
  return hosts;
}

/** The search list of resolv.conf(5): of several lines the last counts. @internal */
export function parseSearchList(text: string): string[] {
  const lines = text.split("\n").flatMap((line) => /^(?:search|domain)\s+(.*)$/.exec(line.trim())?.[1] ?? []);
  const domains = lines.at(-1)?.split(/\s+/) ?? [];
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}

/**
 * Reads GLOVEBOX_DNS_SERVERS: addresses of name servers, with a port or without, separated by commas; IPv6 with a port in brackets.
 * @throws Error that names the invalid entry.
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
