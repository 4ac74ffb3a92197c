import { instancesOf } from "@glovebox/domain";
import { describe, expect, it } from "vitest";
import type { Check } from "../engine/check.ts";
import { page, repeated } from "../signatures/content.ts";
import { fakeApi, type Incoming, type Route } from "../testing/fake-api.ts";
import { scanWith } from "../testing/test-check.ts";
import { exposures } from "./exposure.ts";

const group = {
  group: "Things",
  cwe: 538,
  description: "A thing is served.",
  remediation: "Remove it.",
};
const settings = repeated("a file of settings", 2, /^[A-Z_]{2,40}=\S/gm);
const [file, listing] = exposures(group, [
  {
    name: "file",
    title: "File exposed",
    severity: "high",
    below: "base",
    paths: ["/.env", "/.env.production", "/.env.bak"],
    content: settings,
  },
  {
    name: "listing",
    title: "Listing exposed",
    severity: "medium",
    everywhere: true,
    paths: ["/backup/"],
    content: page("a listing", /<title>Index of \//),
  },
]) as [Check, Check];

const plain = "APP_ENV=production\nDB_HOST=db\n";
const html = (body: string): Route => ({ headers: { "content-type": "text/html" }, body });

async function seen(
  routes: Readonly<Record<string, Route>>,
  { check = file, path = "/" }: { check?: Check; path?: string } = {},
) {
  const asked: string[] = [];
  const api = fakeApi(routes);
  const report = await scanWith([check], {
    name: "exposure",
    path,
    target: (request, response) => {
      asked.push(request.url ?? "");
      api(request, response);
    },
  });
  const locations = report.findings
    .flatMap(instancesOf)
    .map(({ location, severity }) => `${severity} ${location.path}`);
  return { locations, asked, summary: report.checks[0]! };
}

describe("an exposure", () => {
  it.each<[string, string, string]>([
    ["keeps its severity without secrets", plain, "high"],
    ["is graver with a secret that can be used", `${plain}DB_PASSWORD=vr7Zq81x\n`, "critical"],
    ["is a sample with placeholders alone", `${plain}DB_PASSWORD=changeme\nAPI_KEY=your-key\n`, "info"],
    ["keeps its severity with a password that anybody guesses", `${plain}DB_PASSWORD=password\n`, "high"],
    ["takes a nonce of a page for no secret", `${plain}PAGE_NONCE_TOKEN=vr7Zq81xKw03\n`, "high"],
    ["takes a rewrite rule for no secret", `${plain}REWRITE_TOKEN=/(?<token>.*)\n`, "info"],
    ["keeps it beside secrets that are masked", `${plain}DB_PASSWORD=password\nAPI_KEY=******\n`, "high"],
    ["is less grave where the server masks the secrets", `${plain}DB_PASSWORD=******\n`, "medium"],
  ])("%s", async (_, body, severity) => {
    const { locations } = await seen({ "GET /": { json: {} }, "GET /.env": { body } });
    expect(locations).toEqual([`${severity} /.env`]);
  });

  it("an exposure is requested below the base path and its parents", async () => {
    const routes = { "GET /api/v1": { json: {} }, "GET /api/.env": { body: plain } };
    const { locations, asked } = await seen(routes, { path: "/api/v1" });
    expect(locations).toEqual(["high /api/.env"]);
    expect(asked).toEqual(expect.arrayContaining(["/.env", "/api/v1/.env"]));
  });

  it("an exposure is reported at the less common path where it is", async () => {
    const { locations } = await seen({ "GET /": { json: {} }, "GET /.env.bak": { body: plain } });
    expect(locations).toEqual(["high /.env.bak"]);
  });

  it.each<[string, Route]>([
    ["a page", html(`<!doctype html><pre>\n${plain}</pre>`)],
    ["a page that calls itself text", { body: `<!doctype html><pre>\n${plain}</pre>` }],
    ["a refusal", { status: 403, body: plain }],
  ])("an exposure is no %s", async (_, response) => {
    const { locations, summary } = await seen({ "GET /": { json: {} }, "GET /.env": response });
    expect(locations).toEqual([]);
    expect(summary.passed).toBeGreaterThan(0);
  });

  it.each<[string, Route]>([
    ["every path with the same", { body: plain }],
    ["every path with a part of it", ({ path }: Incoming) => ({ body: `${plain}PATH_NAME=${path}\n` })],
    ["every path with a fault", { status: 500, body: "" }],
  ])("an exposure is inconclusive at a host that returns %s", async (_, response) => {
    const { locations, summary } = await seen({ "GET /": { json: {} }, "* *": response });
    expect(locations).toEqual([]);
    expect(summary.passed).toBe(0);
  });

  it("an exposure is inconclusive where random files get a different response each time", async () => {
    let requests = 0;
    const { locations } = await seen({
      "GET /": { json: {} },
      "GET /.env": { body: plain },
      "* *": () => ({ status: requests++ % 2 ? 404 : 410, json: {} }),
    });
    expect(locations).toEqual([]);
  });

  it("an exposure is recognised in any response of the scan where its row declares it", async () => {
    const entry = html("<!doctype html><title>Index of /srv</title><a href='a'>a</a>");
    const { locations } = await seen({ "GET /": entry }, { check: listing });
    expect(locations).toEqual(["medium /"]);
  });

  it("an exposure is reported once where it is both requested and recognised", async () => {
    const page = html("<!doctype html><title>Index of /backup</title>");
    const { locations } = await seen({ "GET /": { json: {} }, "GET /backup/": page }, { check: listing });
    expect(locations).toEqual(["medium /backup/"]);
  });
});
