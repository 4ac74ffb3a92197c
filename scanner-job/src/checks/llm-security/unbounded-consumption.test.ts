import { fakeApi } from "../../testing/fake-api.ts";
import { fakeModel, guardedModel } from "../../testing/fake-model.ts";
import { testCheck } from "../../testing/test-check.ts";
import unboundedConsumption from "./unbounded-consumption.ts";

const refused = { status: 400, json: { error: "max_tokens must be a number" } };
const limitedTo = (max: number) =>
  fakeModel((_, { max_tokens: limit }) => (typeof limit === "number" && limit <= max ? "ok" : refused));

testCheck(unboundedConsumption, {
  positive: [
    {
      name: "a model that accepts a billion tokens",
      target: limitedTo(Infinity),
      finding: { severity: "low", location: { method: "POST", path: "/v1/chat/completions" } },
      count: 1,
    },
    {
      name: "the same of a public API, where it weighs more",
      context: "public",
      target: limitedTo(Infinity),
      finding: { severity: "medium" },
    },
  ],
  negative: [{ name: "a model that refuses more than it has", target: limitedTo(4096) }],
  inconclusive: [
    { name: "a model that does not read the limit", target: fakeModel(() => "ok") },
    { name: "a host without a model", target: fakeApi({}) },
    { name: "a model that requires credentials", target: guardedModel() },
  ],
});
