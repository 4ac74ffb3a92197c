import { fakeApi, type FakeResponse, type Incoming, type Route } from "./fake-api.ts";

/** The response of a test's model to a prompt; a whole response where it is not a chat completion. */
export type Speaking = (prompt: string, body: Readonly<Record<string, unknown>>) => string | FakeResponse;

/** A target with OpenAI's chat completions, which refuses what is not a conversation, as such servers do. */
export const fakeModel = (speak: Speaking, more: Readonly<Record<string, Route>> = {}) =>
  fakeApi({
    "GET /v1/chat/completions": { status: 405, json: { error: "Use POST" } },
    "POST /v1/chat/completions": (incoming) => respond(incoming, speak),
    ...more,
  });

/** The same for callers with a key alone. */
export const guardedModel = () =>
  fakeApi({ "* /v1/chat/completions": { status: 401, json: { error: "Unauthorized" } } });

function respond({ body }: Incoming, speak: Speaking): FakeResponse {
  const parsed = JSON.parse(body) as { messages?: unknown };
  if (!Array.isArray(parsed.messages)) return { status: 400, json: { error: "messages must be a list" } };
  const last = parsed.messages.at(-1) as { content: string };
  const spoken = speak(last.content, parsed);
  return typeof spoken === "string" ? { json: completion(spoken) } : spoken;
}

/** What OpenAI's API returns, as far as it matters. */
export const completion = (content: string): object => ({
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content } }],
});
