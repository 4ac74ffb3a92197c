import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isDenied } from "../../oracles/classify.ts";
import {
  NO_MODEL,
  examineOpenModel,
  modelSubjects,
  withoutModelResponse,
} from "../../attacks/language-model.ts";
import { modelResponse } from "../../signatures/model-response.ts";

export default defineCheck({
  id: "llm-security/anonymous-inference",
  kind: "differential",
  category: "llmSecurity",
  caller: ANONYMOUS,
  title: "Unauthenticated LLM inference",
  severity: "high",
  confidence: "confirmed",
  description:
    "The model responds to prompts without credentials. An unauthenticated attacker can consume the operator's budget and probe the model for confidential data.",
  rule: "A short prompt returns a completion in the form of a language model API.",
  control:
    "A number instead of the prompt is rejected, or the completions follow two prompts for random words; a nonexistent path returns no completion.",
  remediation: "Require credentials before a prompt reaches the model, and limit tokens per account.",
  references: {
    cwe: 306,
    owasp: "LLM06:2026",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N",
  },

  subjects: modelSubjects,
  notApplicable: NO_MODEL,

  examine: (subject, probe) =>
    examineOpenModel(
      { ...subject, probe },
      async (model) => {
        if (model.security === "none" || model.security === "optional") return pass();
        const request = model.asking("Reply with the single word: ok");
        const missing = await probe.missing(request);
        const response = await probe.attack(request);
        if (isDenied(response)) return pass();
        const text = modelResponse(response);
        if (text === undefined || modelResponse(missing) !== undefined)
          return inconclusive(withoutModelResponse(response));
        return fail(`The model responded "${text.slice(0, 60)}".`, { location: model.location });
      },
      pass(),
    ),
});
