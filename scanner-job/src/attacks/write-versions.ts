import type { Subject, TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { isDestructive } from "../inventory/effects.ts";
import { identityOf } from "../inventory/known-operations.ts";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { isBlocked } from "../oracles/classify.ts";
import { areSimilar } from "../oracles/similarity.ts";
import { MALFORMED, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";

/** A write, and where it would be in the versions beside its own. */
export interface WriteVersions extends Subject {
  readonly operation: Operation;
  readonly siblings: readonly OperationFacts[];
}

const VERSION = /(?<=\/v)\d{1,2}(?=\/)/i;
const MAX_WRITES = 40;

/** POST operations with a version in their path, log-ins and the like first, as they are: `/v2/login` gives `/v1/login`. */
export function writeVersions({ operations }: TargetProfile): readonly WriteVersions[] {
  const known = new Set(operations.map(({ facts }) => identityOf(facts)));
  return operations
    .filter(
      ({ facts, location }) =>
        facts.method === "POST" && VERSION.test(location.path) && !location.path.includes("{"),
    )
    .slice(0, MAX_WRITES)
    .flatMap((operation): WriteVersions[] => {
      const { facts, location } = operation;
      const own = Number(VERSION.exec(location.path)![0]);
      const siblings = [own - 1, own + 1]
        .filter((number) => number >= 0)
        .map((number): OperationFacts => ({
          ...facts,
          base: "",
          path: location.path.replace(VERSION, String(number)),
          security: "undeclared",
          source: "discovered",
        }))
        .filter((sibling) => !known.has(identityOf(sibling)) && !isDestructive(sibling));
      return siblings.length > 0 ? [{ operation, location, siblings }] : [];
    });
}

/**
 * Whether the write is there: OPTIONS allows POST, or a body that cannot be parsed gets a response, and neither at an
 * impossible name beside it.
 */
export async function isThere(probe: Probe, { path }: OperationFacts): Promise<boolean> {
  const { target, calibration } = probe.profile;
  const beside = path.slice(0, path.lastIndexOf("/") + 1) + calibration.nonce;
  for (const made of [optionsOf, unreadablePostTo]) {
    const response = await probe.attack(made(target.origin + path));
    const missing = await probe.control(made(target.origin + beside));
    if (isBlocked(response) || isBlocked(missing)) return false;
    if (made === optionsOf ? allowsPost(response) && !allowsPost(missing) : isHandled(response, missing))
      return true;
  }
  return false;
}

const optionsOf = (url: string): ProbeRequest => ({ method: "OPTIONS", url });

const unreadablePostTo = (url: string): ProbeRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/json" },
  body: "{",
  form: MALFORMED,
});

const allowsPost = ({ status, headers }: ProbeResponse): boolean =>
  status < 400 && /\bPOST\b/i.test(headers["allow"] ?? "");

const isHandled = (response: ProbeResponse, missing: ProbeResponse): boolean =>
  response.status < 500 && ![404, 405, 410].includes(response.status) && !areSimilar(response, missing);
