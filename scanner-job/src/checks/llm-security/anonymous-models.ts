import { ANONYMOUS } from "@glovebox/contract";
import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, notApplicable, pass } from "../../engine/check.ts";
import { isDenied, isSuccess } from "../../oracles/classify.ts";
import { NO_MODEL, isModelList } from "../../attacks/language-model.ts";
import type { Probe } from "../../engine/probe.ts";
import { theHost } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "llm-security/anonymous-models",
  kind: "differential",
  category: "llmSecurity",
  caller: ANONYMOUS,
  title: "LLM model list exposed",
  severity: "medium",
  confidence: "confirmed",
  description:
    "A model server lists its models without credentials. It is probably exposed by mistake, and an attacker can use its inference endpoints at the operator's cost.",
  rule: "The list of models is returned in the form of OpenAI's API, with `object: list` and `owned_by`.",
  control: "A random path next to it gets a different response.",
  remediation: "Put the model server behind a gateway that authenticates requests to all of its paths.",
  references: {
    cwe: 306,
    owasp: "LLM02:2026",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: theHost,
  notApplicable: NO_MODEL,

  async examine(_, probe) {
    let guarded = false;
    for (const path of pathsOf(probe)) {
      const request = readOf(probe.profile.target.origin + path);
      const missing = await probe.missing(request);
      const response = await probe.attack(request);
      guarded ||= isDenied(response) && !isDenied(missing);
      if (!isSuccess(response) || !isModelList(response) || isModelList(missing)) continue;
      if (isPublic(path, probe)) return pass();
      const { length } = (response.json as { data: unknown[] }).data;
      return fail(`Models listed: ${length}.`, { location: { method: "GET", path } });
    }
    return guarded ? pass() : notApplicable(NO_MODEL);
  },
});

function pathsOf({ profile }: Probe): Set<string> {
  const base = profile.target.pathname.replace(/\/+$/, "");
  return new Set(["/v1/models", ...(base === "" ? [] : [`${base}/models`])]);
}

/** The document declares it public: some providers publish their list of models. */
function isPublic(path: string, { profile }: Probe): boolean {
  const declares = ({ location, facts }: Operation): boolean =>
    location.path === path && facts.method === "GET" && ["none", "optional"].includes(facts.security);
  return profile.operations.some(declares);
}
