import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentAddresses, embeddedDocument, referredDocuments } from "./console-page.ts";
import { formsOf, pageLinks } from "./forms.ts";
import {
  apiPathsIn,
  linksInJson,
  linkTargets,
  looksLikeApi,
  robotsLinks,
  scriptsOf,
  sitemapLinks,
  sourceMapOf,
} from "./links.ts";

describe("apiPathsIn", () => {
  it.each<[string, string, string[]]>([
    [
      "strings of every kind",
      `get("/api/a"); get('/v1/b'); get(\`/rest/c\`)`,
      ["/api/a", "/v1/b", "/rest/c"],
    ],
    ["whole addresses", `x = "https://api.test:8443/v2/a"`, ["https://api.test:8443/v2/a"]],
    ["templates, left open", "get(`/api/users/${id}/x`)", ["/api/users/${id}/x"]],
    ["paths before a query", `"/api/find?q="`, ["/api/find"]],
    ["no pages and files", `"/about" "/api/logo.svg" "/assets/app.js" "/v1/docs.html"`, []],
    ["each once", `"/api/a" "/api/a"`, ["/api/a"]],
  ])("finds %s", (_, text, paths) => {
    expect(apiPathsIn(text)).toEqual(paths);
  });

  it("stops at 200 paths", () => {
    expect(apiPathsIn(Array.from({ length: 5_000 }, (_, n) => `"/api/p${n}"`).join())).toHaveLength(200);
  });
});

describe("linksInJson", () => {
  it.each<[string, unknown, string[]]>([
    [
      "paths and addresses",
      { next: "/a?page=2", self: "https://api.test/b" },
      ["/a?page=2", "https://api.test/b"],
    ],
    ["links in depth", { _links: { a: [{ href: "/a" }] } }, ["/a"]],
    ["no texts, nor addresses without a scheme", { a: "see /a", b: "//cdn.test/x", c: "a/b", d: 5 }, []],
    ["nothing in no JSON", undefined, []],
  ])("finds %s", (_, json, links) => {
    expect(linksInJson(json)).toEqual(links);
  });

  it("stops at 200 links and at a depth that no stack feels", () => {
    let deep: unknown = "/too-deep";
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    const many = Array.from({ length: 100_000 }, (_, n) => `/a${n}`);
    expect(linksInJson([deep, many]).length).toBe(200);
  });
});

describe("linkTargets", () => {
  it.each<[string, string, string[]]>([
    ["one relation", '</spec>; rel="service-desc"; type="application/json"', ["/spec"]],
    ["one of several", '</a>; rel=next, </spec>; rel="alternate service-desc"', ["/spec"]],
    ["no other relation", '</a>; rel="stylesheet"', []],
    ["nothing in an empty header", "", []],
  ])("takes %s", (_, header, targets) => {
    expect(linkTargets(header, ["service-desc"])).toEqual(targets);
  });
});

describe("pages", () => {
  it("give their scripts", () => {
    const page = `<script src="/a.js"></script><script defer type=module src='b.js'></script><script>x</script>`;
    expect(scriptsOf(page)).toEqual(["/a.js", "b.js"]);
  });

  it("pages of robots give paths and site maps, without patterns", () => {
    const text =
      "User-agent: *\r\nDisallow: /api/private\r\nAllow: /v1/open\nDisallow: /backoffice\nDisallow: /a.css\nDisallow: /api/*\nSitemap: https://a.test/map.xml";
    expect(robotsLinks(text)).toEqual({
      paths: ["/api/private", "/v1/open", "/backoffice"],
      sitemaps: ["https://a.test/map.xml"],
    });
  });

  it("pages of site maps give API paths", () => {
    expect(sitemapLinks("<url><loc> /api/a </loc></url><loc>/about</loc>")).toEqual(["/api/a"]);
  });

  it.each([
    ["Redoc", `<redoc spec-url='/a.json'></redoc>`],
    ["Redoc by script", `Redoc.init("/a.json", {})`],
    ["Scalar", `<script id="api-reference" data-url="/a.json"></script>`],
    ["Swagger UI", `SwaggerUIBundle({ url: "/a.json" })`],
    ["Swagger UI with several", `{"urls":[{"url":"/a.json","name":"v1"}]}`],
    ["Stoplight", `<elements-api apiDescriptionUrl="/a.json"/>`],
  ])("pages of %s contain the location of the document", (_, page) => {
    expect(documentAddresses(page)).toEqual(["/a.json"]);
  });

  it("pages with a document inside give it whole, regardless of what its strings hold", () => {
    const spec = { openapi: "3.0.0", info: { title: 'a } " \\ { b' }, paths: {} };
    const page = `var options = {"swaggerDoc": ${JSON.stringify(spec)}, "customOptions": {}};`;
    expect(JSON.parse(embeddedDocument(page) ?? "")).toEqual(spec);
    expect(embeddedDocument('{"swaggerDoc": {"a": "')).toBeUndefined();
  });

  it("pages of nothing but what their patterns begin with end all the same", () => {
    const beginnings = [
      "\n",
      " ",
      "<script src",
      '"/api/',
      "<loc>",
      "url",
      "</",
      '"swaggerDoc": {',
      "allow",
      "<a>;rel=",
      "<form ",
      "<form><input ",
      "<form><button>",
      "<a href=",
      "fetch(",
      "//# sourceMappingURL=",
    ];
    for (const beginning of beginnings) {
      const text = beginning.repeat(1_000_000 / beginning.length);
      expect(
        scriptsOf(text).length + apiPathsIn(text).length + sitemapLinks(text).length,
      ).toBeLessThanOrEqual(200);
      expect(
        robotsLinks(text).paths.length + documentAddresses(text).length + linkTargets(text, ["x"]).length,
      ).toBe(0);
      expect(embeddedDocument(text)).toBeUndefined();
      expect(formsOf(text).length).toBeLessThanOrEqual(20);
      expect(pageLinks(text).length).toBeLessThanOrEqual(300);
      expect(sourceMapOf(text)?.length ?? 0).toBeLessThanOrEqual(500);
    }
  });
});

describe("documentAddresses", () => {
  it.each<[string, string, string[]]>([
    ["of Scalar", '<script id="api-reference" data-url="/spec/a"></script>', ["/spec/a"]],
    [
      "of Scalar, configured in an attribute",
      '<script data-configuration="{&quot;url&quot;:&quot;/spec/b&quot;}">',
      ["/spec/b"],
    ],
    ["of Redoc", "<redoc spec-url='/spec/c'></redoc>", ["/spec/c"]],
    ["of RapiDoc", '<rapi-doc spec-url="/spec/d">', ["/spec/d"]],
    [
      "of an old Swagger UI",
      'url = "http://petstore.swagger.io/v2/swagger.json"; url = "/spec/e";',
      ["/spec/e"],
    ],
    ["of Swagger UI with several", 'urls: [{"url":"\\/spec\\/f","name":"F"}]', ["/spec/f"]],
  ])("reads the address %s", (_, page, addresses) => {
    expect(documentAddresses(page)).toEqual(addresses);
  });
});

describe("referredDocuments", () => {
  it.each<[string, unknown, string[]]>([
    ["Springfox", [{ name: "a", url: "/v2/api-docs" }], ["/v2/api-docs"]],
    ["springdoc", { configUrl: "/c", url: "/v3/api-docs" }, ["/v3/api-docs"]],
    [
      "springdoc with groups",
      { urls: [{ url: "/v3/api-docs/a" }, { url: "/v3/api-docs/b" }] },
      ["/v3/api-docs/a", "/v3/api-docs/b"],
    ],
    ["a document itself: none", { openapi: "3.0.0", url: "/x" }, []],
  ])("referredDocuments of %s", (_, json, addresses) => {
    expect(referredDocuments(json)).toEqual(addresses);
  });
});

describe("formsOf", () => {
  it.each<[string, string, object[]]>([
    [
      "values, choices and the label of the button",
      `<FORM METHOD='POST' action="/a?b=1&amp;c=2"><input name=n value="v"><select name="s"><option value="x"><option value="y"></select><input type="submit" value="Send it"></FORM>`,
      [
        {
          method: "POST",
          action: "/a?b=1&c=2",
          label: "Send it",
          controls: [
            { name: "n", value: "v" },
            { name: "s", choices: ["x", "y"] },
          ],
        },
      ],
    ],
    [
      "a form that is never closed",
      `<form><textarea name="t">`,
      [{ method: "GET", action: "", controls: [{ name: "t" }] }],
    ],
    ["none without names", "<form><input><button>Go</button></form>", []],
    ["none of data attributes", `<form><input data-name="x"></form>`, []],
  ])("reads %s", (_, html, forms) => {
    expect(formsOf(html)).toMatchObject(forms);
    expect(formsOf(html)).toHaveLength(forms.length);
  });
});

describe("looksLikeApi", () => {
  it.each([
    ["/api", true],
    ["/api/users", true],
    ["/shop/v2/items", true],
    ["https://a.test/graphql", true],
    ["/apical", false],
    ["/video/v", false],
    ["/api/icon.png", false],
    ["https://api.test/about", false],
  ])("%s: %s", (address, expected) => {
    expect(looksLikeApi(address)).toBe(expected);
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void looksLikeApi(text)));
  });
});
