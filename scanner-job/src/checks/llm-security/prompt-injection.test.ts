import { fakeApi } from "../../testing/fake-api.ts";
import { fakeModel, guardedModel } from "../../testing/fake-model.ts";
import { testCheck } from "../../testing/test-check.ts";
import promptInjection from "./prompt-injection.ts";

/** Follows the instructions in the text, if there are any. */
function obedient(prompt: string): string {
  const [, one = "", other = ""] = /concatenate (\w+) and (\w+)/.exec(prompt) ?? [];
  return one === "" ? "English" : one + other;
}

const inTurn = (...speakers: ((prompt: string) => string)[]) => {
  let asked = 0;
  return (prompt: string) => speakers[asked++ % speakers.length]!(prompt);
};

testCheck(promptInjection, {
  positive: [
    {
      name: "a model that obeys the text",
      target: fakeModel(obedient),
      finding: { severity: "medium", location: { method: "POST", path: "/v1/chat/completions" } },
      count: 1,
    },
    {
      name: "a model that obeys two times of three",
      target: fakeModel(inTurn(obedient, () => "English", obedient, obedient, obedient)),
    },
  ],
  negative: [
    { name: "a model that keeps to its question", target: fakeModel(() => "English") },
    { name: "an endpoint that repeats its input", target: fakeModel((prompt) => prompt) },
    {
      name: "a model that obeys once",
      target: fakeModel(
        inTurn(
          obedient,
          () => "English",
          () => "English",
        ),
      ),
    },
  ],
  inconclusive: [
    { name: "a host without a model", target: fakeApi({}) },
    { name: "a model that requires credentials", target: guardedModel() },
    {
      name: "an endpoint that joins all words, asked or not",
      target: fakeModel((prompt) => prompt.replaceAll(" and ", "").replaceAll(/\W/g, "")),
    },
  ],
});
