import type { Location } from "@glovebox/contract";
import { readOf, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { inconclusive, pass, type Subject, type TargetProfile, type Verdict } from "../engine/check.ts";
import { isDenied, isSuccess, rejectsInput, withoutMeaning } from "../oracles/classify.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { modelResponse } from "../signatures/model-response.ts";
import { promptShape, type PromptShape } from "../inventory/prompt-shape.ts";

/** An endpoint that responds to prompts. */
export interface LanguageModel {
  readonly location: Location;
  /** As the document declares: `none` and `optional` are public by intent. */
  readonly security: "required" | "optional" | "none" | "undeclared";
  /** Name of the field that limits the response's length, where there is one. */
  readonly limit: string | undefined;
  /** A request for the response to a prompt, limited to this many tokens where there is such a field. */
  asking(prompt: string, tokens?: unknown): ProbeRequest;
  /** The same request with a number instead of the prompt, which no model gets to see. */
  readonly invalid: ProbeRequest;
}

/** The reason of every check of a target that has no model. */
export const NO_MODEL = "No language model endpoint was found.";
const GUARDED = "The language model requires credentials.";

/** Each is sent about 25 prompts, repeats included. */
const MAX_MODELS = 6;
const DEFAULT_LIMIT = 60;

/** An operation that takes a prompt, as a subject. */
export interface ModelSubject extends Subject {
  readonly operation: Operation;
  readonly shape: PromptShape;
}

/** Operations that pass a prompt to a language model, each a separate subject; at most `MAX_MODELS`. */
export const modelSubjects = ({ operations }: TargetProfile): readonly ModelSubject[] =>
  operations
    .flatMap((operation) => {
      const shape = promptShape(operation);
      return shape ? [{ operation, shape, location: operation.location }] : [];
    })
    .slice(0, MAX_MODELS);

/**
 * Examines a model that reads the prompts of its caller, which is the control of every check of a model: it refuses an invalid
 * prompt, or, where it takes any value for a text, responds with what prompts ask for.
 */
export async function examineOpenModel(
  { operation, shape, probe }: ModelSubject & { readonly probe: Probe },
  examine: (model: LanguageModel) => Promise<Verdict>,
  ifGuarded: Verdict = inconclusive(GUARDED),
): Promise<Verdict> {
  const { location, facts } = operation;
  const about = { location, security: facts.security, name: await modelName(probe) };
  const model = modelOf(await probe.withRealIds(operation), shape, about);
  const response = await probe.control(model.invalid);
  if (rejectsInput(response)) return examine(model);
  if (isDenied(response)) return ifGuarded;
  const unclear = withoutMeaning(response);
  if (unclear) return inconclusive(unclear);
  if (!isSuccess(response)) return inconclusive(`An invalid prompt returned status ${response.status}.`);
  return (await followsInstructions(model, probe)) ? examine(model) : inconclusive(UNREAD);
}

const UNREAD = "An invalid prompt succeeds, and the completions do not show whether prompts are read.";

/**
 * Two responses hold the word that their prompt asks for, and not the prompt: what repeats or stores its input does not do what it
 * asks.
 */
async function followsInstructions(model: LanguageModel, probe: Probe): Promise<boolean> {
  for (let asked = 0; asked < 2; asked++) {
    const word = probe.nonce().slice(0, 8);
    const text = modelResponse(await probe.control(model.asking(`${ASKING_FOR_WORD}: ${word}`)));
    if (!text?.toLowerCase().includes(word) || text.includes(ASKING_FOR_WORD)) return false;
  }
  return true;
}

const ASKING_FOR_WORD = "Reply with this single word";

/** A question that every model responds to, and none with what it should keep to itself. */
export const baselineQuestion = (model: LanguageModel, tokens: number): ProbeRequest =>
  model.asking("Say hello in one short sentence.", tokens);

/** Tokens of a response that may disclose something. */
const DISCLOSURE = 300;

/** What the response to a question discloses. */
interface Disclosed {
  readonly value: string;
}

interface Disclosure<Found extends Disclosed> {
  /** The same question, in different words. */
  readonly questions: readonly string[];
  readonly disclosedIn: (text: string) => readonly Found[];
  /** Values from which on it counts. */
  readonly min: number;
  /** The verdict on what all responses disclose; `baseline` is the body of the response to a baseline question. */
  readonly judge: (shared: readonly Found[], baseline: string) => Verdict;
}

/** Examines what a model discloses in response to each of the questions: models invent values, but not the same twice. */
export const examineDisclosure = <Found extends Disclosed>(
  subject: ModelSubject,
  probe: Probe,
  { questions, disclosedIn, min, judge }: Disclosure<Found>,
): Promise<Verdict> =>
  examineOpenModel({ ...subject, probe }, async (model) => {
    let shared: readonly Found[] | undefined;
    for (const question of questions) {
      const response = await probe.attack(model.asking(question, DISCLOSURE));
      const text = modelResponse(response);
      if (text === undefined) return inconclusive(withoutModelResponse(response));
      const found = disclosedIn(text);
      const values = new Set(found.map(({ value }) => value));
      shared = (shared ?? found).filter(({ value }) => values.has(value));
      if (shared.length < min) return pass();
    }
    const { body } = await probe.control(baselineQuestion(model, DISCLOSURE));
    return judge(shared!, body);
  });

/** Why a response to a prompt has no output of a model. */
export const withoutModelResponse = (response: ProbeResponse): string =>
  isDenied(response)
    ? GUARDED
    : (withoutMeaning(response) ?? `A prompt returned status ${response.status}, without a completion.`);

/** True for the list of models that OpenAI's API gives, and all that imitate it. */
export function isModelList({ json }: ProbeResponse): boolean {
  const { object, data } = (json ?? {}) as { object?: unknown; data?: unknown };
  return object === "list" && Array.isArray(data) && data.some((model) => "owned_by" in Object(model));
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
  const model = name === undefined || !("model" in rest) ? {} : { model: name };
  const sending = (content: unknown, tokens: unknown): ProbeRequest => ({
    ...request,
    method: "POST",
    headers: { ...request.headers, "content-type": "application/json" },
    body: JSON.stringify({
      ...rest,
      ...model,
      ...(limit === undefined ? {} : { [limit]: tokens }),
      [field]: content,
    }),
    form: { kind: "prompt" },
  });
  return {
    location,
    security,
    limit,
    asking: (prompt, tokens = DEFAULT_LIMIT) =>
      sending(takes === "messages" ? [{ role: "user", content: prompt }] : prompt, tokens),
    invalid: sending(0, DEFAULT_LIMIT),
  };
}
