import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { insertingAs, insertingNonsense } from "../../attacks/insertion-points.ts";
import { BLOCKED, isBlocked, saysError } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { stackTraceIn } from "../../signatures/error-messages.ts";
import { objectReads, reads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "data-exposure/stack-trace",
  kind: "differential",
  category: "dataExposure",
  title: "Stack trace disclosure",
  severity: "medium",
  confidence: "confirmed",
  description:
    "An error response contains a stack trace. An attacker learns about components, versions, file paths and faulty code, which helps to plan further attacks.",
  rule: "An error, or the response to an unusual read, contains a stack trace in the form of a known language or framework.",
  control: "The baseline request, whose response contains none.",
  remediation:
    "Disable debug mode, log errors with an identifier, and return that identifier with a generic message (RFC 9457).",
  references: {
    cwe: 209,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => [
    profile.host,
    ...spread(objectReads(profile)),
    ...spread(reads(profile).filter(takesQuery)),
  ],
  notApplicable: "This check applies to every target.",

  observe(response) {
    const writer = isError(response) ? stackTraceIn(response.body) : undefined;
    return writer
      ? { observed: `Status ${response.status} was returned with a stack trace of ${writer}.` }
      : undefined;
  },

  async examine({ operation }, probe) {
    const baseline = operation ? await probe.withRealIds(operation) : readOf(probe.profile.target.href);
    const control = await probe.control(baseline);
    if (stackTraceIn(control.body))
      return inconclusive("The baseline response contains what looks like a stack trace.");

    const unusual = operation ? await oddValues(operation, probe) : oddAddresses(probe);
    for (const request of unusual) {
      const response = await probe.attack(request);
      const writer = stackTraceIn(response.body);
      if (writer) return fail(`Status ${response.status} was returned with a stack trace of ${writer}.`);
      if (isBlocked(response)) return inconclusive(BLOCKED);
    }
    return pass();
  },
});

/** An error by its status or its text: a success may contain documentation of errors. */
const isError = ({ status, json }: ProbeResponse): boolean => status >= 400 || saysError(json);

const takesQuery = ({ facts, idParameter }: Operation): boolean =>
  idParameter === undefined && facts.parameters.some((parameter) => parameter.in === "query");

/** Letters where a number may be expected, and a structure where a value is. */
async function oddValues(operation: Operation, probe: Probe): Promise<ProbeRequest[]> {
  const { idParameter, facts, location } = operation;
  const inQuery = facts.parameters.filter((parameter) => parameter.in === "query").slice(0, 2);
  const points = [...(idParameter ? [idParameter] : []), ...inQuery].map((parameter) => ({
    operation,
    parameter,
    location,
  }));
  const nonsense = points.map((point) => insertingNonsense(probe, point));
  const structure = points
    .filter(({ parameter }) => parameter === inQuery[0])
    .map((point) =>
      insertingAs(probe, point, { name: `${point.parameter.name}[${probe.nonce()}]`, value: "1" }),
    );
  return Promise.all([...nonsense, ...structure]);
}

/** A percent sign that encodes nothing, a byte that is not UTF-8, and a media type that does not exist. */
function oddAddresses({ profile: { target } }: Probe): ProbeRequest[] {
  const request = readOf(target.href);
  const base = target.pathname.replace(/\/+$/, "");
  return [
    { ...request, rawPath: `${base}/%` },
    { ...request, rawPath: `${base}/%ff%fe` },
    { ...request, headers: { accept: "application/x-glovebox-none;q=x" } },
  ];
}
