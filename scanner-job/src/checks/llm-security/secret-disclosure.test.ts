import { fakeApi } from "../../testing/fake-api.ts";
import { fakeModel, guardedModel } from "../../testing/fake-model.ts";
import { testCheck } from "../../testing/test-check.ts";
import secretDisclosure from "./secret-disclosure.ts";

const letters = "q7Rt2LkV9xZb4NwP0sYc8MdHfG3jTeA6uQ1o";
const key = (text: string) => ["sk", "live", text].join("_");
const asksForSecrets = (prompt: string) => /API key|credential/.test(prompt);

testCheck(secretDisclosure, {
  positive: [
    {
      name: "a model that writes out the key that it was given",
      target: fakeModel((prompt) => (asksForSecrets(prompt) ? `It is ${key(letters)}.` : "Hello!")),
      finding: { severity: "high", location: { method: "POST", path: "/v1/chat/completions" } },
      count: 1,
    },
  ],
  negative: [
    { name: "a model that refuses", target: fakeModel(() => "I cannot share credentials.") },
    {
      name: "a model that invents another key each time",
      target: fakeModel((prompt) => {
        const at = prompt.length % letters.length;
        return `It is ${key(letters.slice(at) + letters.slice(0, at))}.`;
      }),
    },
  ],
  inconclusive: [
    { name: "a host without a model", target: fakeApi({}) },
    { name: "a model that requires credentials", target: guardedModel() },
    { name: "a model that shows the key in every response", target: fakeModel(() => key(letters)) },
  ],
});
