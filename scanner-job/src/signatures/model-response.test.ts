import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { modelResponse } from "./model-response.ts";

const responding = (body: unknown, type: string = "application/json", status: number = 200) =>
  aResponse({
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
    ["a text by its member's name", { answer: "Hello" }],
  ])("finds the text of %s", (_, json) => {
    expect(modelResponse(responding(json))).toBe("Hello");
  });

  it("joins the events of a stream", () => {
    const stream = `${chunk("Hel")}${chunk("lo")}: comment\ndata: [DONE]\n\n`;
    expect(modelResponse(responding(stream, "text/event-stream"))).toBe("Hello");
  });

  it("takes plain text as it is", () => {
    expect(modelResponse(responding("Hello\n", "text/plain"))).toBe("Hello");
  });

  it.each([
    ["an error with status 200", responding({ error: { message: "No" } })],
    ["a refusal", responding({ answer: "No" }, "application/json", 401)],
    ["an empty response", responding({ choices: [{ message: { content: "" } }] })],
    ["a page", responding("<p>Hello</p>", "text/html")],
    ["another object", responding({ id: 7 })],
  ])("finds none in %s", (_, response) => {
    expect(modelResponse(response)).toBeUndefined();
  });
});
