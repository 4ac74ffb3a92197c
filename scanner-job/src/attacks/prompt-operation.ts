import type { Field, Operation, OperationFacts } from "../inventory/operation.ts";

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
