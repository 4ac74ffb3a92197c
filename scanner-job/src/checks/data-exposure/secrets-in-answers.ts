import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { ordinaryReply, ordinarySubjects } from "../../attacks/subjects.ts";
import { secretsIn } from "../../signatures/secrets.ts";

export default defineCheck({
  id: "data-exposure/secrets-in-answers",
  category: "dataExposure",
  title: "Credentials leaked in a response",
  severity: "high",
  confidence: "confirmed",
  description:
    "An ordinary answer contains a key, token or connection string. Anyone who reads it can use the service that it gives access to.",
  rule: "The answer contains a value with the prefix, length and disorder of a credential; tokens must decode.",
  control: "None: the value itself is the proof.",
  remediation:
    "Revoke the credential now, take it out of the answer, and list the fields that an answer may have instead of sending what is stored.",
  references: {
    cwe: 200,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  passive: true,

  subjects: (profile) => ordinarySubjects(profile),
  notApplicable: "This check applies to every target.",

  async examine(subject, probe) {
    const reply = await ordinaryReply(subject, probe);
    if (!isSuccess(reply))
      return inconclusive(`It answered status ${reply.status} to a caller without credentials.`);
    const secrets = secretsIn(reply.body);
    if (secrets.length === 0) return pass();
    const onlyTokens = secrets.every(({ kind }) => kind === "JSON Web Token");
    const seen = secrets.slice(0, 4).map(({ kind, masked }) => `${kind} ${masked}`);
    // A token may be meant for whoever asks; the other kinds never are.
    return fail(
      `Seen: ${seen.join(", ")}.`,
      onlyTokens ? { severity: "medium", confidence: "tentative" } : {},
    );
  },
});
