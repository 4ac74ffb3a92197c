import { randomInt } from "node:crypto";
import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type Subject,
  type Verdict,
} from "../../engine/check.ts";
import { attemptKind, attemptRequest } from "../../inventory/credential-attempts.ts";
import { fitsTemplate } from "../../inventory/discovery/path-template.ts";
import type { Operation } from "../../inventory/operation.ts";
import { throttlingIn } from "../../oracles/throttling.ts";
import { isSuccess } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { reads, theHost } from "../../attacks/subjects.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

/** Limited reads that are examined; one response is representative of the limiter. */
const MAX_READS = 2;

/** Attempts in a row after which a log-in is taken for one without a limit. */
const ATTEMPTS = 8;

/** Looks at what was limited in the course of the scan, so it must come after the bursts. */
export default defineCheck({
  id: "rate-limiting/throttle-bypass",
  kind: "burst",
  category: "rateLimiting",
  title: "Rate limit bypass by client IP spoofing",
  severity: { default: "medium", financial: "high" },
  confidence: "confirmed",
  description:
    "The rate limit identifies clients by a header that they control, such as `X-Forwarded-For`. An attacker can bypass it with a new address in every request.",
  rule: "With a different spoofed client address each time, a read that returns 429 succeeds twice, or a throttled login evaluates two attempts.",
  control: "Between the two, the same request without the header is still throttled.",
  remediation:
    "Count by the address of the connection, or accept forwarded addresses only from your proxies, which must overwrite client-supplied values.",
  references: {
    cwe: 348,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: (profile): (Subject & { readonly operation?: Operation })[] => [
    ...theHost(profile),
    ...profile.operations.filter((operation) => attemptKind(operation.facts) === "sign-ins"),
  ],
  notApplicable: "This check applies to every target.",

  async examine({ operation }, probe) {
    if (operation) return examineSignIn(operation, probe);
    const limited = await limitedReads(probe);
    if (limited.length === 0)
      return notApplicable("No read returned 429 during the scan, and the document declares 429 for none.");
    let held = 0;
    for (const request of limited) {
      const outcome = await bypass(request, probe);
      if (outcome === "bypassed")
        return fail("It returned 429, and 2xx to the same client with spoofed addresses.", {
          location: { method: "GET", path: pathOf(request, probe) },
        });
      if (outcome === "held") held++;
    }
    return held > 0
      ? pass()
      : inconclusive("No rate limit was triggered, or it expired before a bypass could be tested.");
  },
});

/** All attempts are for one user who cannot exist, so no account is locked. */
async function examineSignIn(operation: Operation, probe: Probe): Promise<Verdict> {
  const user = probe.profile.calibration.nonce;
  const attempt = () => attemptRequest(operation, { user, password: probe.nonce(), code: "000000" });
  const responses: ProbeResponse[] = [];
  await probe.burst(attempt, ATTEMPTS, (response) => responses.push(response) > 1 && isHeldUp(response));
  const held = responses.at(-1)!;
  if (!isHeldUp(held)) return notApplicable("No rate limit was triggered within a few attempts.");
  const first = await probe.attack(fromElsewhere(attempt()));
  if (isHeldUp(first) || first.status >= 500) return pass();
  const still = await probe.control(attempt());
  if (!isHeldUp(still)) return inconclusive("The rate limit expired before a bypass could be tested.");
  const second = await probe.attack(fromElsewhere(attempt()));
  return isHeldUp(second) || second.status !== first.status
    ? pass()
    : fail(
        `Attempts were throttled with status ${held.status}, and evaluated with ${second.status} under spoofed client addresses.`,
      );
}

/** By status, or by a text of a lock-out regardless of the status. */
const isHeldUp = (response: ProbeResponse): boolean => throttlingIn([response]) !== undefined;

/** Those that were limited come first; then those for which the document declares a limit. */
async function limitedReads(probe: Probe): Promise<ProbeRequest[]> {
  const urls = new Set(probe.throttled.slice(0, MAX_READS).map(({ url }) => url));
  const declared = reads(probe.profile).filter(({ facts }) =>
    facts.responses.some(({ status }) => status === "429"),
  );
  for (const operation of declared.slice(0, MAX_READS)) urls.add((await probe.withRealIds(operation)).url);
  return [...urls].slice(0, MAX_READS + 1).map(readOf);
}

async function bypass(request: ProbeRequest, probe: Probe): Promise<"bypassed" | "held" | "over"> {
  if (!(await isLimited(request, probe))) return "over";
  const first = await probe.attack(fromElsewhere(request));
  if (first.status === 429) return "held";
  const still = await probe.again(request);
  if (still.status !== 429) return "over";
  const second = await probe.attack(fromElsewhere(request));
  return isSuccess(first) && isSuccess(second) ? "bypassed" : "held";
}

async function isLimited(request: ProbeRequest, probe: Probe): Promise<boolean> {
  const responses = await probe.burst(
    () => request,
    30,
    ({ status }) => status !== 200,
  );
  return responses.at(-1)?.status === 429;
}

/**
 * All the headers together: which of them the server trusts does not matter. The addresses are reserved for documentation (RFC
 * 5737).
 */
function fromElsewhere(request: ProbeRequest): ProbeRequest {
  const address = `203.0.113.${randomInt(1, 255)}`;
  const names = [
    "x-forwarded-for",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
    "x-originating-ip",
    "x-remote-ip",
    "x-cluster-client-ip",
  ];
  return {
    ...request,
    headers: {
      ...request.headers,
      ...Object.fromEntries(names.map((name) => [name, address])),
      forwarded: `for=${address}`,
    },
  };
}

/** The template of the operation that was asked, where it is known. */
function pathOf(request: ProbeRequest, { profile }: Probe): string {
  const { pathname } = new URL(request.url);
  const matching = profile.operations.find(({ location }) => fitsTemplate(pathname, location.path));
  return matching?.location.path ?? pathname;
}
