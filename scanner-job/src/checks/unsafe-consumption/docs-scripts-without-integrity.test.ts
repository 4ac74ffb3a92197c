import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import docsScriptsWithoutIntegrity from "./docs-scripts-without-integrity.ts";

const CDN = "https://cdn.larkfield.test/swagger-ui-dist@3/swagger-ui-bundle.js";
const docs = (script: string, title: string = "Swagger UI") =>
  fakeApi({
    "GET /docs": {
      headers: { "content-type": "text/html; charset=utf-8" },
      body: `<!doctype html><title>${title}</title>${script}`,
    },
  });

testCheck(docsScriptsWithoutIntegrity, {
  positive: [
    {
      name: "a console that loads its script from elsewhere",
      target: docs(`<script src="${CDN}"></script>`),
      finding: { severity: "low", location: { method: "GET", path: "/docs" } },
      count: 1,
    },
  ],
  negative: [
    { name: "scripts of the host itself", target: docs('<script src="/assets/swagger-ui.js"></script>') },
    {
      name: "a script with a checksum",
      target: docs(`<script src="${CDN}" integrity="sha384-abc" crossorigin="anonymous"></script>`),
    },
  ],
  inconclusive: [
    { name: "a host without such pages", target: fakeApi({}) },
    {
      name: "a page that documents nothing",
      target: docs(
        `<script src="${CDN.replace("swagger-ui-dist@3/swagger-ui-bundle", "x")}"></script>`,
        "Shop",
      ),
    },
  ],
});
