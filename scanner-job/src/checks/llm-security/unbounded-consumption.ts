import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { rejectsInput } from "../../oracles/classify.ts";
import {
  NO_MODEL,
  examineOpenModel,
  modelSubjects,
  withoutModelResponse,
} from "../../attacks/language-model.ts";
import { modelResponse } from "../../signatures/model-response.ts";

/** More than the output limit of any model. The prompt asks for one word, so that the output is short. */
const ABSURD = 1_000_000_000;

export default defineCheck({
  id: "llm-security/unbounded-consumption",
  kind: "differential",
  category: "llmSecurity",
  title: "Unbounded LLM consumption",
  severity: { default: "low", public: "medium" },
  confidence: "firm",
  description:
    "The server does not limit the length of a completion. An attacker can cause high costs and starve other users with a few prompts for endless completions.",
  rule: `A limit of ${ABSURD} tokens is accepted, and the prompt is completed.`,
  control: "A text instead of the number is rejected, so the limit is evaluated.",
  remediation:
    "Reject or cap limits above what the application needs, and enforce a token budget per account.",
  references: {
    cwe: 770,
    owasp: "LLM06:2026",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: modelSubjects,
  notApplicable: NO_MODEL,

  examine: (subject, probe) =>
    examineOpenModel({ ...subject, probe }, async (model) => {
      if (model.limit === undefined) return inconclusive("No parameter that limits completions is known.");
      const limitedTo = (tokens: unknown) => model.asking("Reply with the single word: ok", tokens);
      const word = await probe.control(limitedTo("many"));
      if (!rejectsInput(word))
        return inconclusive("A limit that is not a number is not rejected, so it may be ignored.");

      const response = await probe.attack(limitedTo(ABSURD));
      if (rejectsInput(response)) return pass();
      return modelResponse(response) === undefined
        ? inconclusive(withoutModelResponse(response))
        : fail(`\`${model.limit}\` of ${ABSURD} was accepted.`, { location: model.location });
    }),
});
