import { inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { allowedMethods, shownOperation } from "../inventory/discovery/crawler.ts";
import type { OperationFacts } from "../inventory/operation.ts";
import { isBlocked, isSuccess } from "../oracles/classify.ts";
import { isNoBetterThan } from "../oracles/not-found.ts";
import { alike } from "../oracles/similarity.ts";
import { readOf, type Reply } from "../transport/exchange.ts";

/** Statuses with which a router shows that it knows a path, if it answers impossible ones with another. */
const KNOWN = new Set([400, 401, 402, 403, 405, 406, 409, 411, 415, 422, 428, 451]);

/**
 * The operations that the answer to a GET shows to exist, where an impossible name beside it does not. Pages do not
 * count, nor what answers the second time in another way.
 */
export async function operationsAt(probe: Probe, path: string): Promise<OperationFacts[]> {
  const { target, calibration } = probe.profile;
  const request = readOf(target.origin + path);
  const reply = await probe.attack(request);
  if (reply.status === 404) return [];
  const beside = path.slice(0, path.lastIndexOf("/") + 1) + calibration.nonce;
  const methods = methodsShown(reply, await probe.control(readOf(target.origin + beside)));
  if (methods.length === 0 || (await isWildcard(probe, { path, reply }))) return [];
  const again = await probe.again(request);
  if (again.status !== reply.status) return [];
  return methods.map((method) => shownOperation({ method, path }, reply));
}

/**
 * The verdict on a read that should be gone, where the answer shows that it is or shows nothing; undefined where it is served
 * still.
 */
export function notServed(reply: Reply, missing: Reply): Verdict | undefined {
  if (reply.status === 404 || reply.status === 410 || alike(reply, missing)) return pass();
  if (isNoBetterThan(missing, reply)) return inconclusive("A random nonexistent path succeeds too.");
  return isSuccess(reply)
    ? undefined
    : inconclusive(`A request without credentials returned status ${reply.status}.`);
}

/** The same name below an impossible one is answered alike: a router that ignores part of the path. */
async function isWildcard(probe: Probe, { path, reply }: { path: string; reply: Reply }): Promise<boolean> {
  const { target, calibration } = probe.profile;
  const segments = path.split("/");
  if (segments.length < 3) return false;
  const other = segments.with(segments.length - 2, calibration.nonce).join("/");
  return isNoBetterThan(await probe.control(readOf(target.origin + other)), reply);
}

function methodsShown(reply: Reply, missing: Reply): string[] {
  if (isBlocked(reply) || isNoBetterThan(missing, reply)) return [];
  if (reply.status === 405 && missing.status !== 405) return allowedMethods(reply);
  if (KNOWN.has(reply.status)) return reply.status === missing.status ? [] : ["GET"];
  return isSuccess(reply) && typeof reply.json === "object" && reply.json !== null ? ["GET"] : [];
}
