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
    "The TRACE method is enabled and returns the request as the server received it. An attacker can read headers that proxies add, including credentials.",
  rule: "The response to TRACE contains a header with a random value, and the response to GET does not.",
  control: "A GET with the same header.",
  remediation: "Disable TRACE in the server and in every proxy in front of it (`TraceEnable off`).",
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
    if (plain.body.includes(value))
      return inconclusive("This host reflects headers in responses to GET too.");
    return traced.status === 200 && traced.body.includes(value)
      ? fail("A header with a random value was reflected.", {
          location: { ...host.location, method: "TRACE" },
        })
      : pass();
  },
});
