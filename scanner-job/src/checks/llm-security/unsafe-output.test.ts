import { fakeApi } from "../../testing/fake-api.ts";
import { fakeModel, guardedModel } from "../../testing/fake-model.ts";
import { testCheck } from "../../testing/test-check.ts";
import unsafeOutput from "./unsafe-output.ts";

const page = (text: string) => ({
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><p>${text}</p>`,
});
const obeying = (prompt: string) => prompt.replace(/^[^:]*: /, "");
const escaped = (text: string) => text.replaceAll("<", "&lt;");

testCheck(unsafeOutput, {
  positive: [
    {
      name: "a page with the model's markup",
      target: fakeModel((prompt) => page(obeying(prompt))),
      finding: { severity: "high", location: { method: "POST", path: "/v1/chat/completions" } },
      count: 1,
    },
    {
      name: "markup in JSON, for information",
      target: fakeModel(obeying),
      finding: { severity: "info" },
    },
  ],
  negative: [
    { name: "a page that escapes it", target: fakeModel((prompt) => page(escaped(obeying(prompt)))) },
    { name: "a page that repeats the prompt", target: fakeModel((prompt) => page(prompt)) },
    { name: "a model that writes something else", target: fakeModel(() => "No.") },
  ],
  inconclusive: [
    { name: "a host without a model", target: fakeApi({}) },
    { name: "a model that requires credentials", target: guardedModel() },
    { name: "a model without output", target: fakeModel(() => "") },
  ],
});
