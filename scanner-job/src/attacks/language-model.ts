import type { Location } from "@glovebox/contract";
import { readOf, type ProbeRequest, type Reply } from "../transport/exchange.ts";
import { inconclusive, type Subject, type TargetProfile, type Verdict } from "../engine/check.ts";
import { isDenied, isSuccess, rejectsInput, withoutMeaning } from "../oracles/classify.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { promptShape, type PromptShape } from "../inventory/prompt-shape.ts";

/** An endpoint that answers prompts. */
export interface LanguageModel {
  readonly location: Location;
  /** As the document declares: `none` and `optional` are public by intent. */
  readonly security: "required" | "optional" | "none" | "undeclared";
  /** Name of the field that limits the answer's length, where there is one. */
  readonly limit: string | undefined;
  /** A request for the answer to a prompt, with a short limit unless `changes` sets one. */
  asking(prompt: string, changes?: Readonly<Record<string, unknown>>): ProbeRequest;
  /** The same request with a number in place of the prompt, which no model gets to see. */
  readonly invalid: ProbeRequest;
}

/** The reason of every check of a target that has no model. */
export const NO_MODEL = "No endpoint of a language model was found.";
const GUARDED = "The language model requires credentials.";

/** Each is sent about 25 prompts, repeats included. */
const MAX_MODELS = 6;
const USUAL_LIMIT = 60;

/** An operation that takes a prompt, as a subject. */
export interface ModelSubject extends Subject {
  readonly operation: Operation;
  readonly shape: PromptShape;
}

/** Operations that pass a prompt to a language model, each a subject of its own; at most `MAX_MODELS`. */
export const modelSubjects = ({ operations }: TargetProfile): readonly ModelSubject[] =>
  operations
    .flatMap((operation) => {
      const shape = promptShape(operation);
      return shape ? [{ operation, shape, location: operation.location }] : [];
    })
    .slice(0, MAX_MODELS);

/**
 * Examines a model that refuses an invalid prompt but not its caller: that it reads what it is sent is the control of
 * every check of a model.
 */
export async function examineOpenModel(
  { operation, shape, probe }: ModelSubject & { readonly probe: Probe },
  examine: (model: LanguageModel) => Promise<Verdict>,
  ifGuarded: Verdict = inconclusive(GUARDED),
): Promise<Verdict> {
  const { location, facts } = operation;
  const about = { location, security: facts.security, name: await modelName(probe) };
  const model = modelOf(await probe.withRealIds(operation), shape, about);
  const reply = await probe.control(model.invalid);
  if (rejectsInput(reply)) return examine(model);
  return isDenied(reply) ? ifGuarded : inconclusive(unexplained(reply));
}

/** Why an answer to a prompt has no output of a model. */
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
