import type { Location } from "@glovebox/contract";
import { notApplicable, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { findGraphql } from "../inventory/graphql/find-endpoint.ts";

/** Examines the address at which the target answers GraphQL, where it does at one of the usual ones. */
export async function examineGraphql(
  probe: Probe,
  examine: (url: string, location: Location) => Promise<Verdict>,
): Promise<Verdict> {
  const { target, operations, calibration } = probe.profile;
  const known = operations.map(({ facts }) => facts);
  const url = await findGraphql(probe.baseline, { target, known, calibration });
  return url === undefined
    ? notApplicable("No GraphQL endpoint was found.")
    : examine(url, { method: "POST", path: new URL(url).pathname });
}
