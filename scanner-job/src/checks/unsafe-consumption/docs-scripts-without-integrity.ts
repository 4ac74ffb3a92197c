import { defineCheck, fail, notApplicable, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { siteOf } from "../../signatures/hosts.ts";
import { theHost } from "../../attacks/subjects.ts";
import { readOf, type ProbeResponse } from "../../transport/exchange.ts";

/** The common locations of documentation; discovery asks for most of them as well, so they cost little. */
const PAGES = ["/docs", "/api/docs", "/api-docs/", "/swagger-ui/index.html", "/redoc"];

export default defineCheck({
  id: "unsafe-consumption/docs-scripts-without-integrity",
  kind: "passive",
  category: "unsafeConsumption",
  title: "Third-party script without Subresource Integrity",
  severity: "low",
  confidence: "confirmed",
  description:
    "A documentation page loads third-party scripts without Subresource Integrity. An attacker who compromises the third party can run code in the browsers of API users and steal the keys that they enter.",
  rule: "A page of API documentation loads a script from another site without `integrity`.",
  control: "None: the page itself is the proof.",
  remediation:
    "Serve the scripts from your host, or pin their version and set `integrity` and `crossorigin` (Subresource Integrity).",
  references: { cwe: 353, owasp: "API10:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    let pages = 0;
    for await (const page of documentationPages(probe)) {
      pages++;
      const scripts = unchecked(page);
      if (scripts.length > 0)
        return fail(`Loaded without integrity: ${scripts.slice(0, 3).join(", ")}.`, {
          location: { method: "GET", path: new URL(page.request.url).pathname },
        });
    }
    return pages > 0 ? pass() : notApplicable("No documentation page was found.");
  },
});

async function* documentationPages(probe: Probe): AsyncGenerator<ProbeResponse> {
  const { target } = probe.profile;
  const urls = [target.href, ...PAGES.map((path) => target.origin + path)];
  for (const url of urls) {
    const page = await probe.baseline(readOf(url));
    if (isSuccess(page) && page.mediaType === "text/html" && DOCUMENTATION.test(page.body.slice(0, 65_536)))
      yield page;
  }
}

const DOCUMENTATION = /swagger|redoc|rapidoc|scalar|graphiql|stoplight|openapi/i;

function unchecked({ body, request }: ProbeResponse): string[] {
  const own = siteOf(new URL(request.url).hostname);
  return [...body.slice(0, 262_144).matchAll(/<script\b[^>]{0,1000}>/gi)].flatMap(([tag]) => {
    const address = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1];
    if (address === undefined || /\bintegrity\s*=/i.test(tag) || !URL.canParse(address, request.url))
      return [];
    const { hostname } = new URL(address, request.url);
    return siteOf(hostname) === own ? [] : [address];
  });
}
