import { expect } from "vitest";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sourceMap from "./source-map.ts";

const map: Route = {
  json: {
    version: 3,
    sources: ["../src/api.ts"],
    sourcesContent: ["// the old list still works"],
    mappings: "AAAA",
  },
};
const page: Route = {
  headers: { "content-type": "text/html" },
  body: '<script src="/assets/app.js"></script>',
};

testCheck(sourceMap, {
  positive: [
    {
      name: "a map beside the script of the page",
      target: fakeApi({ "GET /": page, "GET /assets/app.js.map": map }),
      finding: {
        location: { method: "GET", path: "/assets/app.js.map" },
        description: expect.stringContaining("../src/api.ts") as string,
      },
      count: 1,
    },
  ],
  negative: [
    { name: "a script without a map", target: fakeApi({ "GET /": page }) },
    { name: "an app that returns its page for every path", target: fakeApi({ "* *": page }) },
    {
      name: "a map without sources",
      target: fakeApi({
        "GET /": page,
        "GET /assets/app.js.map": { json: { version: 3, sources: ["a"], mappings: "A" } },
      }),
    },
  ],
  inconclusive: [
    { name: "an API without a page", target: fakeApi({ "GET /": { json: {} } }) },
    { name: "a fault", target: fakeApi({ "GET /": page, "GET /assets/app.js.map": { status: 500 } }) },
  ],
});
