import { defineBypass } from "../../attacks/bypass.ts";
import type { Location } from "@glovebox/contract";
import type { TargetProfile } from "../../engine/check.ts";
import { fitsDeclaration, holdsData } from "../../oracles/records.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { guardedReads } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

const VERSION = /(?<=\/v)\d{1,2}(?=\/)/;

export default defineBypass({
  id: "bfla-authorization/version-downgrade",
  category: "bflaAuthorization",
  title: "Authorization bypass through an old API version",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "firm",
  description:
    "The current version of the operation requires credentials, but an older version does not. An unauthenticated attacker can bypass authorization through the older version.",
  rule: "The operation is refused in its version, and the same path in an older version returns data, with the declared fields where there are any.",
  control:
    "The newer version is refused, and a nonexistent path in the older version gets a different response.",
  remediation:
    "Retire old versions, or enforce the same authentication and authorization for them as for the current one.",
  references: {
    cwe: 862,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => guardedReads(profile).filter((operation) => versionOf(operation) >= 2),
  notApplicable: "No read that requires credentials has a version above 1 in its path.",

  variants: (operation, { request }, probe) =>
    olderVersions(versionOf(operation))
      .filter((older) => !isPublicIn(older, operation, probe.profile))
      .map((older) => {
        const downgraded = { ...request, url: request.url.replace(VERSION, String(older)) };
        const fits = (response: ProbeResponse) => fitsDeclaration(operation.facts.responses, response);
        return {
          label: `version ${older}`,
          request: downgraded,
          isAccepted: (response) =>
            isSuccess(response) && holdsData(response.json) && fits(response) !== false,
          isProven: async (response) =>
            !isNoBetterThan(await probe.missing(downgraded), response) &&
            !isNoBetterThan(await probe.control(otherPath(downgraded, probe)), response),
          observe: (response) => ({
            observed: `Version ${older} returned status ${response.status} with ${response.body.length} characters of data.`,
            location: inVersion(older, operation),
            ...(fits(response) === true && { confidence: "confirmed" as const }),
          }),
        };
      }),
});

const versionOf = ({ location }: Operation): number => Number(VERSION.exec(location.path)?.[0] ?? 0);

/** The two before, the nearest first. */
const olderVersions = (version: number): number[] => [version - 1, version - 2].filter((older) => older >= 1);

const inVersion = (version: number, { location }: Operation): Location => ({
  ...location,
  path: location.path.replace(VERSION, String(version)),
});

const isPublicIn = (version: number, operation: Operation, { operations }: TargetProfile): boolean =>
  operations.some(
    (other) =>
      other.facts.method === operation.facts.method &&
      other.location.path === inVersion(version, operation).path &&
      (other.facts.security === "none" || other.facts.security === "optional"),
  );

/** A random path in the same version: an old version may return the same response for all of its paths. */
const otherPath = (
  request: { readonly url: string; readonly method: string },
  { profile }: { readonly profile: TargetProfile },
) => {
  const [prefix] = /^.*?\/v\d{1,2}\//.exec(request.url)!;
  return { ...request, url: prefix + profile.calibration.nonce };
};
