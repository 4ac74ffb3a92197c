import { instanceId, instancesOf } from "../findings.ts";
import { locationName } from "../location.ts";
import { type Instance, type Location, type Report } from "@glovebox/contract";
import type { Retested } from "../retest.ts";
import { found } from "./found.ts";

/** Builders for tests. A location is written as `GET /orders (q)`. */

export function locationOf(at: string): Location {
  const [, method = "", path = "", parameter] = /^(\S+) (\S+)(?: \((.*)\))?$/.exec(at) ?? [];
  return { method, path, ...(parameter !== undefined && { parameter }) };
}

export const instanceAt = (at: string, more: Partial<Instance> = {}): Instance => {
  const location = locationOf(at);
  const [instance] = instancesOf(found("high firm", { check: "ssrf/sample", location, ...more }));
  return { ...instance!, ...more, id: instanceId(more.check ?? "ssrf/sample", location) };
};

/** A report of one check, with what it found and where it passed. */
export function reportOf(of: {
  found?: readonly Instance[];
  passed?: readonly string[];
  places?: readonly string[];
  reasons?: readonly string[];
}): Retested & Pick<Report, "checks"> {
  const { found: instances = [], passed = [], reasons = [] } = of;
  const seen = instances.map(({ subject, location }) => locationName(subject ?? location));
  const places = [...new Set([...seen, ...passed, ...(of.places ?? [])])].toSorted();
  const counts = { passed: passed.length, failed: instances.length, inconclusive: reasons.length };
  return {
    findings:
      instances.length > 0
        ? [{ ...found("high firm", { check: "ssrf/sample" }), instances: [...instances] }]
        : [],
    places,
    checks: [
      {
        ...{ check: "ssrf/sample", category: "ssrf", ...counts, reasons: [...reasons] },
        passedAt: passed.map((at) => places.indexOf(at)).join(" "),
      },
    ],
  };
}
