import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../engine/judge.ts";
import type { Operation, Parameter } from "../../inventory/operation.ts";

/** The event is an empty list: even a receiver that believes it has nothing to act upon. */
export default defineCheck({
  id: "unsafe-consumption/unsigned-event-accepted",
  category: "unsafeConsumption",
  title: "Events are accepted whatever their signature says",
  severity: { default: "medium", financial: "high" },
  confidence: "tentative",
  description:
    "A receiver of another service's events acknowledges one whose signature is made up. Anybody can report payments, deliveries or deletions that never happened.",
  rule: "An event of no content with a random signature is answered 2xx.",
  control: "The same request to a path that nobody can have made is not.",
  remediation:
    "Compute the signature over the raw body with the shared secret, compare it in constant time, refuse old timestamps, and answer 401 before anything is read from the event.",
  references: {
    cwe: 347,
    owasp: "API10:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: ({ operations }) => operations.filter((operation) => signatureOf(operation)).slice(0, 5),
  notApplicable: "No operation that receives signed events is declared.",

  async examine(operation, probe) {
    const event = operation.requestForNoObject({
      body: "[]",
      headers: { [signatureOf(operation)!.name.toLowerCase()]: `sha256=${probe.nonce()}` },
      harmlessBecause: "the event is an empty list, and its signature is none",
    });
    const missing = await probe.missing(event);
    const reply = await probe.attack(event);
    if (isDenied(reply)) return pass();
    if (SIGNATURE.test(reply.body.slice(0, 4096)) && reply.status >= 400 && reply.status < 500) return pass();
    const unclear = withoutMeaning(reply);
    if (unclear) return inconclusive(unclear);
    if (isSuccess(missing)) return inconclusive("Every path answers such an event with success.");
    return isSuccess(reply)
      ? fail(`The event was answered ${reply.status}.`)
      : inconclusive(`The event was answered ${reply.status}, which says nothing of its signature.`);
  },
});

/** The header that an operation takes the signature of its sender in. */
const signatureOf = ({ facts }: Operation): Parameter | undefined =>
  facts.method === "POST"
    ? facts.parameters.find(({ in: place, name }) => place === "header" && SIGNATURE.test(name))
    : undefined;

const SIGNATURE = /signature|\bhmac\b/i;
