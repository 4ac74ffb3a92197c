import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import anonymousModels from "./anonymous-models.ts";

const list = { json: { object: "list", data: [{ id: "small-1", object: "model", owned_by: "larkfield" }] } };
const publicDocument = apiDocument({ "/v1/models": { get: { security: [] } } }, BEARER);

testCheck(anonymousModels, {
  positive: [
    {
      name: "a list of models",
      target: fakeApi({ "GET /v1/models": list }),
      finding: { severity: "medium", location: { method: "GET", path: "/v1/models" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a list that requires credentials",
      target: fakeApi({ "GET /v1/models": { status: 401, json: { error: "Unauthorized" } } }),
    },
    {
      name: "a list that is public by intent",
      document: publicDocument,
      target: fakeApi({ "GET /v1/models": list }),
    },
  ],
  inconclusive: [
    { name: "a host without models", target: fakeApi({}) },
    {
      name: "models of cars",
      target: fakeApi({ "GET /v1/models": { json: { data: [{ id: 1, name: "Lark GT" }] } } }),
    },
    { name: "a host that returns the list for everything", target: fakeApi({ "GET *": list }) },
    {
      name: "a gateway that refuses everything",
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
  ],
});
