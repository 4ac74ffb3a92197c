import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { scriptsOf } from "../../inventory/discovery/links.ts";

interface Script extends Subject {
  readonly url: URL;
}

export default defineCheck({
  id: "data-exposure/source-map",
  kind: "differential",
  category: "dataExposure",
  title: "JavaScript source map exposed",
  severity: { default: "low", public: "info" },
  confidence: "confirmed",
  description:
    "The source map of a script is public. An attacker can read the original source code with its comments and find hidden endpoints.",
  rule: "The source map of a script of the entry page is valid and contains source code.",
  control: "A random source map name of the same form.",
  remediation: "Do not deploy source maps to production; upload them to the error tracking service instead.",
  references: { cwe: 540, owasp: "API8:2023" },

  subjects: ({ entry, target }) =>
    entry.mediaType === "text/html"
      ? [...new Set(scriptsOf(entry.body))].flatMap((address): Script[] => {
          const url = URL.canParse(address, target.href)
            ? new URL(`${address.split(/[?#]/)[0]!}.map`, target.href)
            : undefined;
          return url?.origin === target.origin
            ? [{ url, location: { method: "GET", path: url.pathname } }]
            : [];
        })
      : [],
  notApplicable: "The entry page loads no scripts from this host.",

  async examine({ url }, probe) {
    const missing = await probe.missing(readOf(url.href));
    const map = await probe.attack(readOf(url.href));
    const unclear = withoutMeaning(map);
    if (unclear) return inconclusive(unclear);
    if (sourcesOf(missing.body) !== undefined) return inconclusive("Every URL returns a source map.");
    const sources = map.status === 200 ? sourcesOf(map.body) : undefined;
    return sources === undefined ? pass() : fail(`It names ${sources.slice(0, 3).join(", ")}.`);
  },
});

/** Names of the sources whose text the map (ECMA-426) carries; a cut map is still known by its beginning. */
function sourcesOf(body: string): string[] | undefined {
  if (
    !/^\s*\{/.test(body) ||
    !/"sourcesContent"\s*:\s*\[\s*"/.test(body) ||
    !/"version"\s*:\s*3\b/.test(body)
  )
    return undefined;
  const list = /"sources"\s*:\s*\[([^\]]{0,2000})/.exec(body)?.[1] ?? "";
  return [...list.matchAll(/"([^"]{1,200})"/g)].map(([, name]) => name!);
}
