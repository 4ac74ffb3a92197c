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
    "The API builds URLs from a client-supplied host header. An attacker can redirect other users to a malicious host, by web cache poisoning or by poisoned links in emails.",
  rule: "With a host in `X-Forwarded-Host` or `Host`, the redirect leads to exactly that host; without it, it does not.",
  control: "The same request without the header.",
  remediation:
    "Build URLs from a configured host or use relative redirects; return 421 for unknown hosts, and accept `X-Forwarded-Host` only from your proxy.",
  references: { cwe: 644, owasp: "API8:2023" },

  subjects: theHost,
  notApplicable: "No target was given.",

  async examine(_, probe) {
    const host = canaryHost(probe.nonce());
    const redirects = [];
    for (const path of pathsOf(probe.profile)) {
      const request = readOf(probe.profile.target.origin + path);
      const control = await probe.control(request);
      if (isBlocked(control) || control.status >= 500)
        return inconclusive("The baseline request did not reach the API.");
      if (control.redirectTarget) redirects.push({ path, request });
    }
    for (const { path, request } of redirects) {
      // A forwarded host passes proxies that would refuse another Host, and caches that do not use it as a key.
      for (const [name, severity] of [
        ["x-forwarded-host", "medium"],
        ["host", "low"],
      ] as const) {
        const response = await probe.attack(withHeader(request, name, host));
        if (response.redirectTarget?.hostname === host)
          return fail(`${name} controls where ${path} redirects to.`, {
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
