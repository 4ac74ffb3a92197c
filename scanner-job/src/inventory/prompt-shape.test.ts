import { describe, expect, it } from "vitest";
import type { Field } from "./operation.ts";
import { anOperation } from "../testing/samples.ts";
import { promptShape } from "./prompt-shape.ts";

const field = (path: string): Field => ({
  path,
  name: path.split(".").at(-1)!,
  type: "string",
  readOnly: false,
  required: path === "tenant",
});
const post = (path: string, fields: readonly string[], mediaType: string = "application/json") =>
  anOperation({
    method: "POST",
    path,
    body: {
      mediaType,
      required: true,
      sample: { model: "small", tenant: "a", temperature: 1 },
      fields: fields.map(field),
      closed: false,
    },
  });

describe("promptShape", () => {
  it.each([
    ["/chat/completions", ["messages", "model"], "messages"],
    ["/talk", ["messages", "messages[].role", "messages[].content"], "messages"],
    ["/v1/completions", ["prompt", "max_tokens"], "prompt"],
    ["/generate", ["prompt"], "prompt"],
    ["/assistant", ["question"], "question"],
    ["/assistant/ask", ["message"], "message"],
  ])("promptShape of %s with %j takes the prompt in %s", (path, fields, name) => {
    expect(promptShape(post(path, fields))?.field).toBe(name);
  });

  it.each([
    ["/chats", ["message"]],
    ["/messages", ["messages", "recipient"]],
    ["/tickets", ["prompt"]],
    ["/images/generations", ["prompt", "model"]],
    ["/threads", ["messages", "model"]],
    ["/assistants/{id}", ["name", "model"]],
  ])("promptShape of %s with %j is none", (path, fields) => {
    expect(promptShape(post(path, fields))).toBeUndefined();
  });

  it("keeps what the operation requires, asks for no stream, and knows the limit", () => {
    expect(promptShape(post("/ask", ["messages", "model", "tenant", "stream", "max_tokens"]))).toEqual({
      takes: "messages",
      field: "messages",
      limit: "max_tokens",
      rest: { model: "small", tenant: "a", stream: false },
    });
  });

  it.each([
    ["/ask", { model: "small", messages: [{ role: "user", content: "Hi" }] }, "messages"],
    ["/v2/generate", { inputs: "Hi" }, "inputs"],
  ])(
    "promptShape of %s without a schema takes the prompt where the example %j has it",
    (path, sample, name) => {
      const body = { mediaType: "application/json", required: true, sample, fields: [], closed: false };
      expect(promptShape(anOperation({ method: "POST", path, body }))?.field).toBe(name);
    },
  );

  it.each([
    ["/v1/chat/completions", "messages"],
    ["/api/generate", "prompt"],
    ["/support/chatbot", "message"],
  ])("promptShape of %s without a body in the document takes the prompt in %s", (path, name) => {
    expect(promptShape(anOperation({ method: "POST", path }))?.field).toBe(name);
  });

  it("promptShape of an operation that reads or takes a file is none", () => {
    expect(promptShape(anOperation())).toBeUndefined();
    expect(promptShape(post("/generate", ["prompt"], "multipart/form-data"))).toBeUndefined();
  });
});
