import type { Location } from "@glovebox/contract";
import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import { readOf } from "../engine/calibrate.ts";
import { inconclusive, type Verdict } from "../engine/check.ts";
import { isDenied, isRejectedInput, isSuccess, withoutMeaning } from "../oracles/judge.ts";
import type { Probe } from "../engine/probe.ts";
import { CHAT_COMPLETIONS, promptShape, type PromptShape } from "./prompt-operation.ts";

/** An endpoint that answers prompts. */
export interface LanguageModel {
  readonly location: Location;
  /** What the document says: `none` and `optional` are public by intent. */
  readonly security: "required" | "optional" | "none" | "undeclared";
  /** Name of the field that limits the answer's length, where there is one. */
  readonly limit: string | undefined;
  /** A request for the answer to a prompt, short unless `changes` say otherwise. */
  asking(prompt: string, changes?: Readonly<Record<string, unknown>>): ProbeRequest;
  /** The same request with a number in place of the prompt, which no model gets to see. */
  readonly invalid: ProbeRequest;
}

/** The reason of every check of a target that has no model. */
export const NO_MODEL = "No endpoint of a language model was found.";
const GUARDED = "The language model asks for credentials.";

/** Models that are looked at, so that a scan sends no more than 25 prompts. */
const MAX_MODELS = 2;
const USUAL_LIMIT = 60;

/**
 * Examines the first model that refuses an invalid prompt but not its caller: that it reads what it is sent is the
 * control of every check of a model.
 */
export async function examineOpenModel(
  probe: Probe,
  examine: (model: LanguageModel) => Promise<Verdict>,
  ifGuarded: Verdict = inconclusive(GUARDED),
): Promise<Verdict> {
  let verdict = inconclusive(NO_MODEL);
  for (const model of await languageModels(probe)) {
    const reply = await probe.control(model.invalid);
    if (isRejectedInput(reply)) return examine(model);
    verdict = isDenied(reply) ? ifGuarded : inconclusive(unexplained(reply));
  }
  return verdict;
}

/** Why an answer to a prompt has nothing that a model said. */
export const withoutAnswer = (reply: Reply): string =>
  isDenied(reply)
    ? GUARDED
    : (withoutMeaning(reply) ?? `A prompt was answered ${reply.status}, without a text.`);

/** True for the list of models that OpenAI's API gives, and all that imitate it. */
export function isModelList({ json }: Reply): boolean {
  const { object, data } = (json ?? {}) as { object?: unknown; data?: unknown };
  return object === "list" && Array.isArray(data) && data.some((model) => "owned_by" in Object(model));
}

const unexplained = (reply: Reply): string =>
  withoutMeaning(reply) ?? `An invalid prompt was not refused but answered ${reply.status}.`;

async function languageModels(probe: Probe): Promise<LanguageModel[]> {
  const name = await modelName(probe);
  const declared: LanguageModel[] = [];
  for (const operation of probe.profile.operations) {
    const shape = promptShape(operation);
    if (!shape || declared.length >= MAX_MODELS) continue;
    const { location, facts } = operation;
    const request = await probe.withRealIds(operation);
    declared.push(modelOf(request, shape, { location, security: facts.security, name }));
  }
  return declared.length > 0 ? declared : guessed(probe, name);
}

/** Chat completions at the usual addresses, where a read of them is answered as only an existing path is. */
async function guessed(probe: Probe, name: string | undefined): Promise<LanguageModel[]> {
  const { origin, pathname } = probe.profile.target;
  const bases = new Set(["/v1", pathname.replace(/\/+$/, "")]);
  for (const base of bases) {
    const path = `${base}/chat/completions`;
    const read = readOf(origin + path);
    if (!(await exists(probe, read)) && (base !== "/v1" || name === undefined)) continue;
    const location = { method: "POST", path };
    return [modelOf(read, CHAT_COMPLETIONS, { location, security: "undeclared", name })];
  }
  return [];
}

async function exists(probe: Probe, read: ProbeRequest): Promise<boolean> {
  const reply = await probe.baseline(read);
  if (![400, 401, 403, 405, 415, 422].includes(reply.status) || probe.profile.calibration.looksMissing(reply))
    return false;
  return (await probe.missing(read)).status !== reply.status;
}

/** The first model that the target itself lists. */
async function modelName(probe: Probe): Promise<string | undefined> {
  const list = await probe.baseline(readOf(`${probe.profile.target.origin}/v1/models`));
  if (!isSuccess(list) || !isModelList(list)) return undefined;
  const [first] = (list.json as { data: { id?: unknown }[] }).data;
  return typeof first?.id === "string" ? first.id.slice(0, 200) : undefined;
}

function modelOf(
  request: ProbeRequest,
  { takes, field, limit, rest }: PromptShape,
  about: Pick<LanguageModel, "location" | "security"> & { name: string | undefined },
): LanguageModel {
  const { location, security, name } = about;
  const short = limit === undefined ? {} : { [limit]: USUAL_LIMIT };
  const model = name === undefined || !("model" in rest) ? {} : { model: name };
  const sending = (content: unknown, changes: object): ProbeRequest => ({
    ...request,
    method: "POST",
    headers: { ...request.headers, "content-type": "application/json" },
    body: JSON.stringify({ ...rest, ...model, ...short, [field]: content, ...changes }),
    harmlessBecause: "a prompt is answered and changes nothing",
  });
  return {
    location,
    security,
    limit,
    asking: (prompt, changes = {}) =>
      sending(takes === "messages" ? [{ role: "user", content: prompt }] : prompt, changes),
    invalid: sending(0, {}),
  };
}
