import { defineBypass } from "../../attacks/bypass.ts";
import type { Subject } from "../../engine/check.ts";
import {
  carriersFor,
  challengedCarriers,
  distinct,
  locationOf,
  presenting,
  type Carrier,
} from "../../attacks/credentials.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { likelyRefusals } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

/** All locations of a credential are tried at the first few operations, only those for the first scheme at the others. */
const TRIED_AT_ALL = 5;
const MAX_CARRIERS = 6;

interface GuardedRead extends Subject {
  readonly operation: Operation;
  readonly carriers: readonly Carrier[];
}

export default defineBypass({
  id: "authentication/garbage-credential-accepted",
  category: "authentication",
  title: "Authentication bypass: invalid credential accepted",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server checks that a credential is present, but does not verify it. An attacker can bypass authentication with any value.",
  rule: "A random credential, a new one each time, turns a refusal into a success twice.",
  control: "The request without the credential is refused, and with it a nonexistent path is not found.",
  remediation:
    "Verify the credential on every request: signature, issuer, audience and expiry of a token, or the API key against the stored keys.",
  references: {
    cwe: 287,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    likelyRefusals(profile).map((operation, index): GuardedRead => {
      const carriers = carriersFor(operation, profile.document);
      const ofFirst = carriers.filter(({ name }) => name === carriers[0]?.name);
      return {
        operation,
        location: operation.location,
        carriers: index < TRIED_AT_ALL ? carriers.slice(0, MAX_CARRIERS) : ofFirst,
      };
    }),
  notApplicable: "No read operation is known.",

  variants: ({ carriers }, refused, probe) =>
    distinct([...carriers, ...challengedCarriers(refused)]).map((carrier) => {
      const request = presenting(refused.request, carrier, probe.nonce());
      return {
        label: `a random credential in ${locationOf(carrier)}`,
        request,
        isAccepted: isSuccess,
        async isProven() {
          const again = await probe.attack(presenting(refused.request, carrier, probe.nonce()));
          const missing = await probe.missing(request);
          return isSuccess(again) && !isNoBetterThan(missing, again);
        },
      };
    }),
});
