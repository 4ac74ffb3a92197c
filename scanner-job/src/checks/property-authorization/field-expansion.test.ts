import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import fieldExpansion from "./field-expansion.ts";

const document = apiDocument({ "/doctors": { get: {} } });
const shown = { id: 1, name: "Ines" };
const all = { ...shown, passwordHash: "$2b$10$N9qo8uLOickgx2ZMRZoMye" };
const responding = (doctors: (query: URLSearchParams) => FakeResponse) =>
  fakeApi({ "GET /doctors": ({ query }: Incoming) => doctors(query) });

testCheck(fieldExpansion, {
  positive: [
    {
      name: "a password hash that `fields=*` adds",
      document,
      target: responding((query) => ({ json: [query.get("fields") === "*" ? all : shown] })),
      finding: { severity: "high", location: { method: "GET", path: "/doctors" } },
      count: 1,
    },
    {
      name: "an API that refuses `fields` and obeys `include`",
      document,
      target: responding((query) => {
        if (query.has("fields")) return { status: 400, json: { error: "Unknown parameter" } };
        return { json: [query.has("include") ? all : shown] };
      }),
      count: 1,
    },
  ],
  negative: [
    { name: "an API that ignores the parameters", document, target: responding(() => ({ json: [shown] })) },
    {
      name: "an API that adds harmless fields",
      document,
      target: responding((query) => ({ json: [query.has("fields") ? { ...shown, city: "York" } : shown] })),
    },
    {
      name: "an API that repeats what was asked",
      document,
      target: responding((query) => ({ json: { asked: Object.fromEntries(query), doctors: [shown] } })),
    },
    {
      name: "an API that refuses what it does not know",
      document,
      target: responding((query) =>
        query.size > 0 ? { status: 400, json: { error: "No" } } : { json: [shown] },
      ),
    },
  ],
  inconclusive: [
    {
      name: "fields that come with any parameter",
      document,
      target: responding((query) => ({ json: [query.size > 0 ? all : shown] })),
    },
    { name: "a fault", document, target: responding(() => ({ status: 500, json: {} })) },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
