import { readOf } from "../../transport/exchange.ts";
import { canaryHost } from "../../attacks/url-parameters.ts";
import { defineCheck, fail, inconclusive, pass, type TargetProfile } from "../../engine/check.ts";
import { withHeader } from "../../attacks/credentials.ts";
import { isBlocked } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";

const MAX_PATHS = 4;

export default defineCheck({
  id: "input-validation/host-redirect",
  kind: "differential",
  category: "inputValidation",
  title: "Host header injection",
  severity: "low",
  confidence: "confirmed",
  description:
    "The API trusts the host that a request names and builds URLs from it. With a cache in front, or links sent by mail, other users are led to a host of the attacker.",
  rule: "With a host in `X-Forwarded-Host` or `Host` the redirect leads to that very host; without it, it does not.",
  control: "The same request without the header.",
  remediation:
    "Build addresses from a configured host or make redirects relative; answer unknown hosts with 421, and take `X-Forwarded-Host` from your own proxy only.",
  references: { cwe: 644, owasp: "API8:2023" },

  subjects: theHost,
  notApplicable: "There is no target.",

  async examine(_, probe) {
    const host = canaryHost(probe.nonce());
    const redirects = [];
    for (const path of pathsOf(probe.profile)) {
      const request = readOf(probe.profile.target.origin + path);
      const usual = await probe.control(request);
      if (isBlocked(usual) || usual.status >= 500)
        return inconclusive("The ordinary request was not answered by the API.");
      if (usual.redirectTarget) redirects.push({ path, request });
    }
    for (const { path, request } of redirects) {
      // A forwarded host passes proxies that would refuse a foreign Host, and caches that do not use it as a key.
      for (const [name, severity] of [
        ["x-forwarded-host", "medium"],
        ["host", "low"],
      ] as const) {
        const reply = await probe.attack(withHeader(request, name, host));
        if (reply.redirectTarget?.hostname === host)
          return fail(`${name} decides where ${path} leads.`, {
            severity,
            location: { method: "GET", path },
          });
      }
    }
    return pass();
  },
});

/** Where redirects stand most often: the root, the submitted path, and the first segments of operations. */
function pathsOf({ target, operations }: TargetProfile): readonly string[] {
  const areas = operations.map(({ location }) => /^\/[^/{]*/.exec(location.path)?.[0] ?? "/");
  return [...new Set(["/", target.pathname, ...areas])].slice(0, MAX_PATHS);
}
