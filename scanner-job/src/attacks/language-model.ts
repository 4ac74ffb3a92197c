import type { Location } from "@glovebox/contract";
import { readOf, type ProbeRequest, type Reply } from "../transport/exchange.ts";
import { inconclusive, type Verdict } from "../engine/check.ts";
import { isDenied, isRejectedInput, isSuccess, withoutMeaning } from "../oracles/classify.ts";
import type { Probe } from "../engine/probe.ts";
import type { Field, Operation, OperationFacts } from "../inventory/operation.ts";

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
const GUARDED = "The language model requires credentials.";

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

/** How an operation takes a prompt: a conversation, or a text under a name. */
export interface PromptShape {
  readonly takes: "messages" | "text";
  /** Name of the field that the prompt goes into. */
  readonly field: string;
  /** Name of the field that limits the answer's length, where there is one. */
  readonly limit?: string;
  /** What else the body holds. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/**
 * How an operation passes a prompt to a language model, by what its document says; undefined for all others. A lone
 * `message` is none: people write those to one another, and it would be kept.
 */
export function promptShape({ facts }: Pick<Operation, "facts">): PromptShape | undefined {
  const { method, body } = facts;
  if (method !== "POST" || !body || !/json/i.test(body.mediaType) || MAKES_OR_KEEPS.test(facts.path))
    return undefined;
  const takes = contentField(facts, body.fields);
  if (!takes) return undefined;
  const limit = body.fields.find(({ path }) => LIMIT.test(path))?.path;
  return { ...takes, ...(limit === undefined ? {} : { limit }), rest: restOf(body.sample, body.fields) };
}

/** The shape of OpenAI's chat completions, which most servers of models understand. */
export const CHAT_COMPLETIONS: PromptShape = {
  takes: "messages",
  field: "messages",
  limit: "max_tokens",
  rest: { model: "default" },
};

function contentField(
  { path }: OperationFacts,
  fields: readonly Field[],
): Pick<PromptShape, "takes" | "field"> | undefined {
  const has = (pattern: RegExp): boolean => fields.some((field) => pattern.test(field.path));
  const isTuned = has(TUNING);
  if (has(/^messages$/) && (isTuned || (has(/^messages\[\]\.role$/) && has(/^messages\[\]\.content$/))))
    return { takes: "messages", field: "messages" };
  if (has(/^prompt$/) && (isTuned || MODEL_PATH.test(path))) return { takes: "text", field: "prompt" };
  const question = fields.find(({ path: name }) => /^(question|query|message|input|text)$/.test(name));
  return question && ASSISTANT_PATH.test(path) ? { takes: "text", field: question.path } : undefined;
}

function restOf(sample: unknown, fields: readonly Field[]): Record<string, unknown> {
  const known = typeof sample === "object" && sample !== null && !Array.isArray(sample) ? sample : {};
  const required = new Set(fields.filter((field) => field.required).map(({ path }) => path));
  return Object.fromEntries(
    Object.entries(known)
      .filter(([name]) => required.has(name) || name === "model")
      .concat(fields.some(({ path }) => path === "stream") ? [["stream", false]] : []),
  );
}

const LIMIT = /^(max_?(completion_|output_|new_)?tokens|num_predict)$/i;
const TUNING = /^(model|max_?(completion_|output_|new_)?tokens|temperature|top_p)$/i;
const MODEL_PATH = /\/(completions?|generate|llm|gpt|assistant|copilot|chatbot)(\/|$)/i;
const ASSISTANT_PATH =
  /\/(assistant|copilot|chatbot|llm|gpt|ask-ai|ai)(\/(ask|chat|query|messages?|questions?))?\/?$/i;
/** Pictures and sound cost much; files, threads and jobs stay. */
const MAKES_OR_KEEPS =
  /images?|video|audio|speech|embedding|fine-?tun|batch|files?|threads?|runs?|jobs?(\/|$)/i;
