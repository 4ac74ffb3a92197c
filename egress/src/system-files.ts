import { isIP } from "node:net";

/** Names in lower case with their addresses, as hosts(5) describes the file. */
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

/** The search list of resolv.conf(5): of several lines the last counts. */
export function parseSearchList(text: string): string[] {
  const lines = text.split("\n").flatMap((line) => /^(?:search|domain)\s+(.*)$/.exec(line.trim())?.[1] ?? []);
  const domains = lines.at(-1)?.split(/\s+/) ?? [];
  return domains.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "");
}
