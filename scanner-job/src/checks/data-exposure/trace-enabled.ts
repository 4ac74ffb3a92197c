import { readOf } from "../../transport/exchange.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { withHeader } from "../../attacks/credentials.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { theHost } from "../../attacks/subjects.ts";

export default defineCheck({
  id: "data-exposure/trace-enabled",
  kind: "differential",
  category: "dataExposure",
  title: "HTTP TRACE enabled",
  severity: "low",
  confidence: "confirmed",
  description:
    "The server answers TRACE with the request that it received. Headers that a proxy adds, credentials among them, are shown to anyone who requests them.",
  rule: "The answer to TRACE repeats a header with a random value, and the answer to GET does not.",
  control: "A GET with the same header.",
  remediation: "Switch TRACE off in the server and in every proxy before it (`TraceEnable off`).",
  references: { cwe: 489, owasp: "API8:2023" },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(host, probe) {
    const value = probe.nonce();
    const read = withHeader(readOf(probe.profile.target.href), "x-glovebox-trace", value);
    const plain = await probe.control(read);
    const traced = await probe.attack({ ...read, method: "TRACE" });
    if (traced.status === 405 || traced.status === 501) return pass();
    const unclear = withoutMeaning(traced);
    if (unclear) return inconclusive(unclear);
    if (plain.body.includes(value)) return inconclusive("This host repeats headers in ordinary answers too.");
    return traced.status === 200 && traced.body.includes(value)
      ? fail("A header with a random value came back.", {
          location: { ...host.location, method: "TRACE" },
        })
      : pass();
  },
});
