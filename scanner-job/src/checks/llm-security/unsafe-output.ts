import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isDenied, isSuccess } from "../../oracles/classify.ts";
import {
  NO_MODEL,
  examineOpenModel,
  modelSubjects,
  withoutModelResponse,
} from "../../attacks/language-model.ts";
import { modelResponse } from "../../signatures/model-response.ts";

/** Words of the prompt that the response itself has no reason to hold: an echo of the prompt has them. */
const ASKING = "Reply with exactly this line";

export default defineCheck({
  id: "llm-security/unsafe-output",
  kind: "differential",
  category: "llmSecurity",
  title: "Improper LLM output handling",
  severity: "high",
  confidence: "confirmed",
  description:
    "Model output is rendered in HTML without encoding. An attacker who influences the model's input can run scripts in the browsers of other users (XSS).",
  rule: "An HTML element requested by the prompt is unencoded in an HTML response that does not repeat the prompt.",
  control: "The same request to a nonexistent path does not return the element.",
  remediation:
    "Encode model output for the context in which it is rendered, or sanitize it with an allowlist of elements, and set a Content-Security-Policy.",
  references: {
    cwe: 79,
    owasp: "LLM10:2026",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: modelSubjects,
  notApplicable: NO_MODEL,

  examine: (subject, probe) =>
    examineOpenModel({ ...subject, probe }, async (model) => {
      const element = `<i class="glovebox">${probe.nonce()}</i>`;
      const request = model.asking(`${ASKING}: ${element}`);
      const missing = await probe.missing(request);
      const response = await probe.attack(request);
      if (!isSuccess(response) || isDenied(response)) return inconclusive(withoutModelResponse(response));
      if (missing.body.includes(element)) return inconclusive("Every path reflects what it is sent.");
      const { location } = model;
      const isIn = (text: string): boolean => text.includes(element) && !text.includes(ASKING);
      if (response.mediaType === "text/html")
        return isIn(response.body) ? fail("The element is in an HTML page.", { location }) : pass();

      const text = modelResponse(response);
      if (text === undefined) return inconclusive(withoutModelResponse(response));
      // In JSON that is not a weakness yet, but clients that render the response must escape it.
      return isIn(text)
        ? fail(
            "The element is in JSON or plain text: the client that renders the completion must encode it.",
            {
              location,
              severity: "info",
            },
          )
        : pass();
    }),
});
