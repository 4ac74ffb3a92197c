import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { completion, fakeModel, guardedModel } from "../../testing/fake-model.ts";
import { testCheck } from "../../testing/test-check.ts";
import anonymousInference from "./anonymous-inference.ts";

const schema = { type: "object", properties: { question: { type: "string" } } };
const assistant = (security?: object[]) =>
  apiDocument({
    "/assistant": {
      post: {
        requestBody: { content: { "application/json": { schema } } },
        ...(security ? { security } : {}),
      },
    },
  });
const responding = fakeApi({
  "POST /assistant": ({ body }) =>
    typeof (JSON.parse(body) as { question: unknown }).question === "string"
      ? { json: { answer: "ok" } }
      : { status: 422, json: { error: "question must be a text" } },
});

/** Refuses nothing. */
const repeatingAsAsked = (respond: (body: { question?: unknown }) => string) =>
  fakeApi({
    "POST /assistant": ({ body }) => ({
      json: { answer: respond(JSON.parse(body) as { question?: unknown }) },
    }),
  });

testCheck(anonymousInference, {
  positive: [
    {
      name: "chat completions without credentials, in no document",
      target: fakeModel(() => "ok"),
      finding: { severity: "high", location: { method: "POST", path: "/v1/chat/completions" } },
      count: 1,
    },
    {
      name: "an assistant of the document's own form",
      document: assistant(),
      target: responding,
      finding: { location: { method: "POST", path: "/assistant" } },
    },
    {
      name: "a model that streams its response",
      target: fakeModel(() => ({
        headers: { "content-type": "text/event-stream" },
        body: `data: ${JSON.stringify({ choices: [{ delta: { content: "ok" } }] })}\n\ndata: [DONE]\n\n`,
      })),
    },
    {
      name: "an assistant that takes any value for a text, and does what texts ask for",
      document: assistant(),
      target: repeatingAsAsked(({ question }) => /word: (\w+)/.exec(String(question))?.[1] ?? "ok"),
    },
  ],
  negative: [
    { name: "a model that requires credentials", target: guardedModel() },
    {
      name: "a model that validates input before credentials",
      target: fakeModel(() => ({ status: 401, json: { error: "Unauthorized" } })),
    },
    { name: "an assistant that is public by intent", document: assistant([]), target: responding },
  ],
  inconclusive: [
    {
      name: "an endpoint that stores everything that it is sent",
      document: assistant(),
      target: repeatingAsAsked(() => "Thank you for your message"),
    },
    {
      name: "an endpoint that repeats everything that it is sent",
      document: assistant(),
      target: repeatingAsAsked(({ question }) => String(question)),
    },
    { name: "a host without a model", target: fakeApi({}) },
    {
      name: "a host that responds to everything like a model",
      target: fakeApi({ "* *": { json: completion("Hello") } }),
    },
    { name: "a model that fails", target: fakeModel(() => ({ status: 503, json: { error: "Busy" } })) },
    {
      name: "a gateway that refuses everything",
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
  ],
});
