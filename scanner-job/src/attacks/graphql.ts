import type { Location } from "@glovebox/contract";
import { notApplicable, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { graphqlRequest } from "../inventory/graphql/request.ts";
import { findGraphql } from "../inventory/graphql/find-endpoint.ts";

interface Endpoint {
  readonly url: string;
  readonly location: Location;
  /** As a control: a query for a field that cannot exist. */
  readonly unknownField: () => Promise<ProbeResponse>;
}

/** Examines the GraphQL endpoint of the target, where it has one at a common path. */
export async function examineGraphql(
  probe: Probe,
  examine: (endpoint: Endpoint) => Promise<Verdict>,
): Promise<Verdict> {
  const { target, operations, calibration } = probe.profile;
  const known = operations.map(({ facts }) => facts);
  const url = await findGraphql(probe.baseline, { target, known, calibration });
  return url === undefined
    ? notApplicable("No GraphQL endpoint was found.")
    : examine({
        url,
        location: { method: "POST", path: new URL(url).pathname },
        unknownField: () => probe.control(graphqlRequest(url, `{${probe.nonce()}}`)),
      });
}
