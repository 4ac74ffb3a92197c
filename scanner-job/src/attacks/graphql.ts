import type { Probe } from "../engine/probe.ts";
import { findGraphql, pathsOf } from "../inventory/graphql/find-endpoint.ts";

/** The address at which the target answers GraphQL; undefined when it does at none of the usual ones. */
export const graphqlAddress = (probe: Probe): Promise<string | undefined> =>
  findGraphql(probe.baseline, {
    target: probe.profile.target,
    paths: pathsOf(probe.profile.operations.map(({ facts }) => facts)),
    calibration: probe.profile.calibration,
  });
