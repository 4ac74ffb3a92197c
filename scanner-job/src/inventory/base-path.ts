import { notFoundControl, type Calibration } from "../oracles/not-found.ts";
import { areSimilar } from "../oracles/similarity.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { ApiDocument } from "./api-document.ts";
import { parentOf } from "./discovery/path-template.ts";
import { isDestructive } from "./effects.ts";
import { Operation, type OperationFacts } from "./operation.ts";

interface Deps {
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
  readonly target: URL;
  readonly calibration: Calibration;
}

/** Operations of one base path that are asked for; reads without ids first. */
const MAX_SAMPLES = 4;
const MAX_CANDIDATES = 14;

/**
 * The document with the base paths below which its operations respond. A path that a server of the document names is
 * used when any operation responds there; if none does, the others that are likely are tried.
 */
export async function withRespondingBases(deps: Deps, document: ApiDocument): Promise<ApiDocument> {
  const { acceptsEverything, deniesEverything, missing } = deps.calibration;
  const failsEverywhere = missing.every(({ status }) => status >= 500);
  if (acceptsEverything || deniesEverything || failsEverywhere) return document; // responses do not distinguish paths there
  const moved = new Map<string, string>();
  const notes: string[] = [];
  for (const base of new Set(document.operations.map((facts) => facts.base))) {
    const samples = samplesOf(document.operations.filter((facts) => facts.base === base));
    if (samples.length === 0 || (await responding(deps, base, samples)) !== "none") continue;
    const other = await bestOf(deps, { candidates: candidatesFor(deps, base, document), samples });
    if (other !== undefined) moved.set(base, other);
    notes.push(noteOn(base, other));
  }
  return {
    ...document,
    operations: document.operations.map((facts) => ({ ...facts, base: moved.get(facts.base) ?? facts.base })),
    notes: [...document.notes, ...notes],
  };
}

const noteOn = (base: string, other: string | undefined): string =>
  other === undefined
    ? `None of the document's operations was found below ${shown(base)}, nor below other likely base paths. If the API has another one, give it as the target's address.`
    : `None of the document's operations was found below ${shown(base)}; they were called below ${shown(other)}, where they are.`;

const shown = (base: string): string => base || "/";

function samplesOf(operations: readonly OperationFacts[]): OperationFacts[] {
  const harmless = operations.filter(({ path }) => !isDestructive({ method: "GET", path }));
  const rank = ({ method, path }: OperationFacts): number =>
    (method === "GET" ? 0 : 2) + (path.includes("{") ? 1 : 0);
  const paths = new Map(harmless.toSorted((a, b) => rank(a) - rank(b)).map((facts) => [facts.path, facts]));
  return [...paths.values()].slice(0, MAX_SAMPLES);
}

function candidatesFor({ target }: Deps, base: string, document: ApiDocument): string[] {
  const own = target.pathname.replace(/\/+$/, "");
  const around = [own, ...parentsOf(own), ...parentsOf(base)];
  const below = [own, ...document.possibleBases].map((prefix) => prefix + base);
  const common = ["", "/api", "/api/v1", "/v1", `/api${base}`, "/rest"];
  const all = [...document.possibleBases, ...around, ...below, ...common];
  return [...new Set(all)].filter((candidate) => candidate !== base).slice(0, MAX_CANDIDATES);
}

/** `/api/v1` gives `/api` and the root. */
const parentsOf = (path: string): string[] =>
  path === "" ? [] : [parentOf(path), ...parentsOf(parentOf(path))];

/** The candidate below which most of the samples exist; the first of several. */
async function bestOf(
  deps: Deps,
  { candidates, samples }: { candidates: readonly string[]; samples: readonly OperationFacts[] },
): Promise<string | undefined> {
  let best: { base: string; found: number } | undefined;
  for (const base of candidates) {
    let found = 0;
    for (const facts of samples) if ((await existence(deps, base, facts)) === "certain") found += 1;
    if (found > (best?.found ?? 0)) best = { base, found };
    if (found === samples.length) break;
  }
  return best?.base;
}

/** A 404 with another text than the router's is an object's: the operation may well be there. */
type Existence = "certain" | "likely" | "none";

async function responding(deps: Deps, base: string, samples: readonly OperationFacts[]): Promise<Existence> {
  let likely = false;
  for (const facts of samples) {
    const existing = await existence(deps, base, facts);
    if (existing === "certain") return "certain";
    likely ||= existing === "likely";
  }
  return likely ? "likely" : "none";
}

/** Asked for by GET, regardless of the operation's method: a path that exists is then refused, with 405 for instance. */
async function existence(
  { send, target, calibration }: Deps,
  base: string,
  facts: OperationFacts,
): Promise<Existence> {
  const operation = new Operation(target.origin, { ...facts, base });
  const request =
    facts.method === "GET" ? operation.request() : readOf(operation.request({ method: "GET" }).url);
  try {
    const response = await send(request);
    const missing = await send(notFoundControl(request, { operations: [operation], calibration }));
    if (areSimilar(response, missing)) return "none";
    return response.status === 404 || response.status === 410 ? "likely" : "certain";
  } catch (error) {
    // A missing response does not contradict the document.
    if (error instanceof NetworkError) return "likely";
    throw error;
  }
}
