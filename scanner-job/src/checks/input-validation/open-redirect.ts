import { canaryHost, mayRedirect } from "../../attacks/url-parameters.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertionPoints } from "../../attacks/insertion-points.ts";
import { notReached } from "../../attacks/refusals.ts";

export default defineCheck({
  id: "input-validation/open-redirect",
  category: "inputValidation",
  title: "Open redirect",
  severity: "medium",
  confidence: "confirmed",
  description:
    "A link to the API leads to whatever host it names. Such links carry the API's good name to forged sign-in pages, and take tokens out of sign-in flows.",
  rule: "The redirect's host is exactly the host that was sent, and a path of the API's own leads to no such host.",
  control: "A path of the API's own as the value.",
  remediation:
    "Redirect to paths of your own or to a fixed list of hosts only; compare the parsed address, not its beginning.",
  references: {
    cwe: 601,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, mayRedirect),
  notApplicable: "No read takes the place to go next.",

  async examine(point, probe) {
    const host = canaryHost(probe.nonce());
    for (const address of [`https://${host}/`, `//${host}/`]) {
      const reply = await probe.attack(await inserting(probe, point, address));
      if (reply.redirectTarget?.hostname === host) {
        const control = await probe.control(await inserting(probe, point, `/${probe.nonce()}`));
        return control.redirectTarget?.hostname === host
          ? inconclusive("Every value leads to that host.")
          : fail(`The answer ${reply.status} leads to the host that the value named.`);
      }
      const unreached = notReached(reply);
      if (unreached) return unreached;
    }
    return pass();
  },
});
