import { describe, expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import { modelAnswer } from "./model-answer.ts";

const answering = (body: unknown, type: string = "application/json", status: number = 200) =>
  aReply({
    status,
    headers: { "content-type": type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

describe("modelAnswer", () => {
  it.each([
    ["a chat completion", { choices: [{ message: { content: "Hello" } }] }],
    ["a completion", { choices: [{ text: " Hello " }] }],
    ["a message in parts", { content: [{ type: "text", text: "Hello" }] }],
    ["candidates", { candidates: [{ content: { parts: [{ text: "Hello" }] } }] }],
    ["a local model", { model: "m", response: "Hello" }],
    ["a list of texts", [{ generated_text: "Hello" }]],
    ["an answer by its name", { answer: "Hello" }],
  ])("finds the text of %s", (_, json) => {
    expect(modelAnswer(answering(json))).toBe("Hello");
  });

  it("joins the events of a stream", () => {
    const stream = `${chunk("Hel")}${chunk("lo")}: comment\ndata: [DONE]\n\n`;
    expect(modelAnswer(answering(stream, "text/event-stream"))).toBe("Hello");
  });

  it("takes plain text as it is", () => {
    expect(modelAnswer(answering("Hello\n", "text/plain"))).toBe("Hello");
  });

  it.each([
    ["an error with status 200", answering({ error: { message: "No" } })],
    ["a refusal", answering({ answer: "No" }, "application/json", 401)],
    ["an empty answer", answering({ choices: [{ message: { content: "" } }] })],
    ["a page", answering("<p>Hello</p>", "text/html")],
    ["another object", answering({ id: 7 })],
  ])("finds none in %s", (_, reply) => {
    expect(modelAnswer(reply)).toBeUndefined();
  });
});
