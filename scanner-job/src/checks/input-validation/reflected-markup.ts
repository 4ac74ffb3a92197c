import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertionPoints } from "../../attacks/insertion-points.ts";
import { notReached } from "../../attacks/refusals.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "input-validation/reflected-markup",
  category: "inputValidation",
  title: "Reflected cross-site scripting (XSS)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API answers with HTML and writes the value into it unescaped. A link to it runs scripts in the visitor's browser, in the name of the API's host (cross-site scripting).",
  rule: "An HTML answer has an element of a random name exactly as it was sent, and does not for the name without the markup.",
  control: "The same letters without markup.",
  remediation:
    "Escape values for the place where they are written, with a template engine that does so by itself; answer JSON as `application/json` with `nosniff`, and send a Content-Security-Policy.",
  references: {
    cwe: 79,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, ({ type }) => type === "string"),
  notApplicable: "No read takes a text in its query or path.",

  async examine(point, probe) {
    const letters = probe.nonce();
    const markup = `<${letters} title="1'">`;
    const reply = await probe.attack(await inserting(probe, point, markup));
    const unreached = notReached(reply);
    if (unreached) return unreached;
    if (!isPageWith(reply, markup)) return pass();

    const control = await probe.control(await inserting(probe, point, letters));
    return isPageWith(control, markup)
      ? inconclusive("The page keeps what others have sent.")
      : fail("The element was in the page as it was sent.");
  },
});

/** What is called JSON or plain text is no page, whatever it contains. */
const isPageWith = ({ mediaType, body }: Reply, markup: string): boolean =>
  ["text/html", "application/xhtml+xml"].includes(mediaType) && body.includes(markup);
