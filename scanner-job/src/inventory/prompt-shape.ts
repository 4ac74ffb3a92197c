import type { Field, Operation, OperationFacts } from "./operation.ts";

/** How an operation takes a prompt: a conversation, or a text under a name. */
export interface PromptShape {
  readonly takes: "messages" | "text";
  /** Name of the field that the prompt goes into. */
  readonly field: string;
  /** Name of the field that limits the response's length, where there is one. */
  readonly limit?: string;
  /** What else the body holds. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/**
 * How an operation passes a prompt to a language model, by the fields and examples of its body, or by its path where
 * the document declares no body; undefined for all others. A single `message` is none: it may be a message to another
 * user, and would be stored.
 */
export function promptShape({ facts }: Pick<Operation, "facts">): PromptShape | undefined {
  const { method, body } = facts;
  if (method !== "POST" || MAKES_OR_KEEPS.test(facts.path)) return undefined;
  if (!body) return MODEL_APIS.find(({ path }) => facts.path.endsWith(path))?.shape ?? assistantShape(facts);
  if (!/json/i.test(body.mediaType)) return undefined;
  const takes = contentField(facts, body.fields.length > 0 ? body.fields : fieldsOfSample(body.sample));
  if (!takes) return undefined;
  const limit = body.fields.find(({ path }) => LIMIT.test(path))?.path;
  return { ...takes, ...(limit === undefined ? {} : { limit }), rest: restOf(body.sample, body.fields) };
}

/** Fields that only the example of a body shows. */
const fieldsOfSample = (sample: unknown): Pick<Field, "path">[] =>
  Object.entries(Object(sample) as Record<string, unknown>).flatMap(([name, value]) => {
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    return [name, ...Object.keys(Object(first) as object).map((inner) => `${name}[].${inner}`)].map(
      (path) => ({
        path,
      }),
    );
  });

const assistantShape = ({ path }: OperationFacts): PromptShape | undefined =>
  ASSISTANT_PATH.test(path) ? { takes: "text", field: "message", rest: {} } : undefined;

/** How the common servers of models take a prompt. */
const MODEL_APIS: readonly { readonly path: string; readonly shape: PromptShape }[] = [
  {
    path: "/chat/completions",
    shape: { takes: "messages", field: "messages", limit: "max_tokens", rest: { model: "default" } },
  },
  {
    path: "/v1/messages",
    shape: { takes: "messages", field: "messages", limit: "max_tokens", rest: { model: "default" } },
  },
  {
    path: "/api/chat",
    shape: { takes: "messages", field: "messages", rest: { model: "default", stream: false } },
  },
  {
    path: "/api/generate",
    shape: { takes: "text", field: "prompt", rest: { model: "default", stream: false } },
  },
  {
    path: "/v1/completions",
    shape: { takes: "text", field: "prompt", limit: "max_tokens", rest: { model: "default" } },
  },
  {
    path: "/v1/responses",
    shape: { takes: "text", field: "input", limit: "max_output_tokens", rest: { model: "default" } },
  },
  { path: "/generate", shape: { takes: "text", field: "inputs", rest: {} } },
];

function contentField(
  { path }: OperationFacts,
  fields: readonly Pick<Field, "path">[],
): Pick<PromptShape, "takes" | "field"> | undefined {
  const named = (pattern: RegExp): string | undefined =>
    fields.find((field) => pattern.test(field.path))?.path;
  const isTuned = named(TUNING) !== undefined;
  const isConversation =
    isTuned ||
    (named(/^messages\[\]\.role$/) !== undefined && named(/^messages\[\]\.content$/) !== undefined);
  if (named(/^messages$/) !== undefined && isConversation) return { takes: "messages", field: "messages" };
  const prompt = isTuned || MODEL_PATH.test(path) ? named(/^(prompt|inputs?)$/) : undefined;
  const question = ASSISTANT_PATH.test(path) ? named(QUESTION) : undefined;
  const field = prompt ?? question;
  return field === undefined ? undefined : { takes: "text", field };
}

const QUESTION = /^(question|query|message|input|text|prompt|content|user_?input)$/i;

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
  /\/(assistant|copilot|chat-?bot|llm|gpt|ask-ai|ai|rag|agent|virtual-assistant)(\/(ask|chat|query|messages?|questions?|generate|invoke|complete))?\/?$/i;
/** Pictures and sound cost much; files, threads and jobs stay. */
const MAKES_OR_KEEPS =
  /images?|video|audio|speech|embedding|fine-?tun|batch|files?|threads?|runs?|jobs?(\/|$)/i;
