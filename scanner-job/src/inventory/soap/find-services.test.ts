import { expect, test } from "vitest";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { inventoryOf } from "../../testing/inventory-of.ts";
import { TEA_SERVICE } from "../../testing/tea-service.ts";

const described: Route = ({ query }) =>
  query.has("wsdl") ? { headers: { "content-type": "text/xml" }, body: TEA_SERVICE } : { status: 405 };

test.each([
  ["a common address", "/", "/ws"],
  ["the address of the target", "/teahouse", "/teahouse"],
  ["a common address below the target's", "/shop", "/shop/soap"],
])("the operations of a service at %s are separate subjects", async (_, path, service) => {
  const { operations } = await inventoryOf(
    fakeApi({ "GET /": { json: {} }, [`GET ${service}`]: described }),
    {
      path,
    },
  );
  const found = operations.filter(({ facts }) => facts.soapOperation !== undefined);
  expect(found.map(({ location }) => location)).toEqual([
    { method: "POST", path: service, parameter: "FindTeas" },
    { method: "POST", path: service, parameter: "OrderTea" },
  ]);
});

test("a host that returns a page for every address has no services", async () => {
  const { operations } = await inventoryOf(
    fakeApi({ "* *": { headers: { "content-type": "text/html" }, body: "<html><body>Tea</body></html>" } }),
  );
  expect(operations.filter(({ facts }) => facts.soapOperation !== undefined)).toEqual([]);
});
