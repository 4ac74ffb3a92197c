import type { Location } from "@glovebox/contract";
import type { TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isSuccess } from "../oracles/classify.ts";
import { isNoBetterThan } from "../oracles/not-found.ts";
import { fitsDeclaration, holdsData } from "../oracles/records.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { Variant } from "./bypass.ts";

const VERSION = /(?<=\/v)\d{1,2}(?=\/)/;

/** The number after `/v` in the path; 0 without one. */
export const versionOf = ({ location }: Operation): number => Number(VERSION.exec(location.path)?.[0] ?? 0);

/** The refused request in other versions of the API. Those where the document declares the operation public are left out. */
export const versionVariants = (
  operation: Operation,
  { request }: ProbeResponse,
  { probe, versions }: { readonly probe: Probe; readonly versions: readonly number[] },
): Variant[] =>
  versions
    .filter((version) => !isPublicIn(version, operation, probe.profile))
    .map((version) => {
      const changed = { ...request, url: request.url.replace(VERSION, String(version)) };
      const fits = (response: ProbeResponse) => fitsDeclaration(operation.facts.responses, response);
      return {
        label: `version ${version}`,
        request: changed,
        isAccepted: (response) => isSuccess(response) && holdsData(response.json) && fits(response) !== false,
        isProven: async (response) =>
          !isNoBetterThan(await probe.missing(changed), response) &&
          !isNoBetterThan(await probe.control(otherPath(changed, probe)), response),
        observe: (response) => ({
          observed: `Version ${version} returned status ${response.status} with ${response.body.length} characters of data.`,
          location: inVersion(version, operation),
          ...(fits(response) === true && { confidence: "confirmed" as const }),
        }),
      };
    });

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
const otherPath = (request: ProbeRequest, { profile }: Pick<Probe, "profile">): ProbeRequest => {
  const [prefix] = /^.*?\/v\d{1,2}\//.exec(request.url)!;
  return { ...request, url: prefix + profile.calibration.nonce };
};
