import { fakeApi } from "../../testing/fake-api.ts";
import { fakeModel, guardedModel } from "../../testing/fake-model.ts";
import { testCheck } from "../../testing/test-check.ts";
import toolDisclosure from "./tool-disclosure.ts";

const asksForTools = (prompt: string) => /tools|functions/.test(prompt);

testCheck(toolDisclosure, {
  positive: [
    {
      name: "a model that names its functions",
      target: fakeModel((prompt) => (asksForTools(prompt) ? "get_balance\nfind_branch" : "Hello!")),
      finding: { severity: "low", location: { method: "POST", path: "/v1/chat/completions" } },
      count: 1,
    },
    {
      name: "a model that names functions that write, which weighs more",
      target: fakeModel((prompt) => (asksForTools(prompt) ? '["sendEmail", "getOrders"]' : "Hello!")),
      finding: { severity: "medium" },
    },
  ],
  negative: [
    { name: "a model that refuses", target: fakeModel(() => "I cannot tell.") },
    { name: "a model that has none", target: fakeModel(() => "I can answer questions about our shop.") },
  ],
  inconclusive: [
    { name: "a host without a model", target: fakeApi({}) },
    { name: "a model that requires credentials", target: guardedModel() },
    { name: "a model whose every response names them", target: fakeModel(() => "get_balance find_branch") },
  ],
});
