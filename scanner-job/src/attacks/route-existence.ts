import { inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { allowedMethods, shownOperation } from "../inventory/discovery/crawler.ts";
import type { OperationFacts } from "../inventory/operation.ts";
import { isBlocked, isSuccess } from "../oracles/classify.ts";
import { isNoBetterThan } from "../oracles/not-found.ts";
import { areSimilar } from "../oracles/similarity.ts";
import { readOf, type ProbeResponse } from "../transport/exchange.ts";

/** Statuses with which a router shows that it knows a path, if it returns another for impossible ones. */
const KNOWN = new Set([400, 401, 402, 403, 405, 406, 409, 411, 415, 422, 428, 451]);

/**
 * The operations that the response to a GET shows to exist, where an impossible name beside it does not. Pages do not
 * count, nor what responds differently the second time.
 */
export async function operationsAt(probe: Probe, path: string): Promise<OperationFacts[]> {
  const { target, calibration } = probe.profile;
  const request = readOf(target.origin + path);
  const response = await probe.attack(request);
  if (response.status === 404) return [];
  const beside = path.slice(0, path.lastIndexOf("/") + 1) + calibration.nonce;
  const methods = methodsShown(response, await probe.control(readOf(target.origin + beside)));
  if (methods.length === 0 || (await isWildcard(probe, { path, response }))) return [];
  const again = await probe.again(request);
  if (again.status !== response.status) return [];
  return methods.map((method) => shownOperation({ method, path }, response));
}

/**
 * The verdict on a read that should not exist, where the response shows that it does not or shows nothing; undefined where it is
 * served still.
 */
export function notServed(response: ProbeResponse, missing: ProbeResponse): Verdict | undefined {
  if (response.status === 404 || response.status === 410 || areSimilar(response, missing)) return pass();
  if (isNoBetterThan(missing, response)) return inconclusive("A random nonexistent path succeeds too.");
  return isSuccess(response)
    ? undefined
    : inconclusive(`A request without credentials returned status ${response.status}.`);
}

/** The same name below an impossible one gets the same response: a router that ignores part of the path. */
async function isWildcard(
  probe: Probe,
  { path, response }: { path: string; response: ProbeResponse },
): Promise<boolean> {
  const { target, calibration } = probe.profile;
  const segments = path.split("/");
  if (segments.length < 3) return false;
  const other = segments.with(segments.length - 2, calibration.nonce).join("/");
  return isNoBetterThan(await probe.control(readOf(target.origin + other)), response);
}

function methodsShown(response: ProbeResponse, missing: ProbeResponse): string[] {
  if (isBlocked(response) || isNoBetterThan(missing, response)) return [];
  if (response.status === 405 && missing.status !== 405) return allowedMethods(response);
  if (KNOWN.has(response.status)) return response.status === missing.status ? [] : ["GET"];
  return isSuccess(response) && typeof response.json === "object" && response.json !== null ? ["GET"] : [];
}
