import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertionPoints, ordinaryValue } from "../../attacks/insertion-points.ts";
import { notReached } from "../../attacks/refusals.ts";
import { mayRedirect } from "../../attacks/url-parameters.ts";

export default defineCheck({
  id: "input-validation/header-injection",
  category: "inputValidation",
  title: "CRLF injection (HTTP response splitting)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The value is written into a header as it is, line breaks included. Callers add headers and whole answers: they set cookies, poison caches and run scripts in the name of the API.",
  rule: "A header of a random name, sent after a line break in the value, is a header of the answer; without the line break it is none.",
  control: "The same text without the line break.",
  remediation:
    "Refuse or encode CR and LF in whatever becomes part of a header; use a server that refuses them.",
  references: {
    cwe: 113,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:L/VI:L/VA:N/SC:L/SI:L/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, mayRedirect),
  notApplicable: "No read takes a text that could become part of a header.",

  async examine(point, probe) {
    const ordinary = await ordinaryValue(probe, point);
    const [name, value] = [`glovebox-${probe.nonce()}`, probe.nonce()];
    for (const lineBreak of ["\r\n", "\n"]) {
      const reply = await probe.attack(
        await inserting(probe, point, `${ordinary}${lineBreak}${name}: ${value}`),
      );
      const unreached = notReached(reply);
      if (unreached) return unreached;
      if (reply.headers[name] !== value) continue;

      const control = await probe.control(await inserting(probe, point, `${ordinary} ${name}: ${value}`));
      return control.headers[name] === undefined
        ? fail("The answer had the header that the value named.")
        : inconclusive("The API makes headers of values without a line break too.");
    }
    return pass();
  },
});
