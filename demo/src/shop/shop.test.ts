import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowsUnder } from "../testing/readme.ts";
import { SHOP_ROUTES, SHOP_TRAPS, SHOP_WEAKNESSES } from "./areas/index.ts";
import { shopIdentitiesFile } from "./identities.ts";
import { changesBetween } from "./state.ts";
import { type Client, type ShopApi, startShopApi } from "./testing/shop-api.ts";

const concrete = (path: string) =>
  path.replace(/\{\w+\}/g, (name) =>
    /order|invoice|line|parcel|product/.test(name) ? "999999" : "00000000-0000-4000-8000-000000000000",
  );
const guarded = SHOP_ROUTES.filter(({ access }) => access !== "public");

describe("the shop", () => {
  it("the shop has at least thirty weaknesses", () => {
    expect(SHOP_WEAKNESSES.length).toBeGreaterThanOrEqual(30);
  });

  it("lists exactly its weaknesses and its traps in the README", async () => {
    const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
    const weaknesses = SHOP_WEAKNESSES.map(
      ({ category, kind, method, path, what }) => `${category} | ${kind} | \`${method} ${path}\` | ${what}`,
    );
    const traps = SHOP_TRAPS.map(({ method, path, what }) => `\`${method} ${path}\` | ${what}`);
    expect(rowsUnder(readme, "Weaknesses behind the sign-in")).toEqual(weaknesses.toSorted());
    expect(rowsUnder(readme, "Not weaknesses")).toEqual(traps.toSorted());
  });

  it("the shop has a file of identities that is the one in the repository", async () => {
    const file = await readFile(new URL("../../identities.yaml", import.meta.url), "utf8");
    expect(file).toBe(shopIdentitiesFile());
  });
});

describe.each(["vulnerable", "hardened"] as const)("the %s shop", (variant) => {
  let api: ShopApi;
  beforeAll(async () => {
    api = await startShopApi(variant);
  });
  afterAll(() => api.close());

  it.each(guarded.map(({ method, path }) => `${method} ${path}`))(
    "refuses callers without valid credentials at %s",
    async (operation) => {
      const [method = "", path = ""] = operation.split(" ");
      const callers = [{}, { authorization: "Bearer garbage" }, { cookie: "__Host-desk=garbage" }];
      const responses = await Promise.all(
        callers.map((headers) => api.with(headers).send(method, concrete(path), { body: "{" })),
      );
      expect(responses.map(({ status }) => status)).toEqual([401, 401, 401]);
    },
  );

  it("changes no row when it is only read, and tells which ones a write touched", async () => {
    const before = api.demo.shopState();
    const [alice, carol] = await Promise.all([api.as("alice"), api.as("carol")]);
    for (const { path } of SHOP_ROUTES.filter(({ method }) => method === "GET"))
      await alice.get(concrete(path));
    expect(changesBetween(before, api.demo.shopState())).toEqual({ changed: [], deleted: [], created: [] });
    await writeThrice(carol);
    const { changed, deleted, created } = changesBetween(before, api.demo.shopState());
    expect([changed.length, deleted.length, created.length]).toEqual([1, 1, 1]);
  });

  it("the shop has nothing outside its path", async () => {
    const paths = ["/", "/me", "/v2/me", "/shops", "/openapi.json"];
    const responses = await Promise.all(paths.map((path) => api.outside(path)));
    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 404));
  });

  it("describes every operation once in its OpenAPI document", async () => {
    const { paths } = JSON.parse((await api.anonymous.get("/openapi.json")).text) as { paths: object };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = SHOP_ROUTES.filter(({ operation }) => operation).map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(described.toSorted()).toEqual(expected.toSorted());
  });
});

async function writeThrice(caller: Client): Promise<void> {
  const note = { title: "New", text: "New" };
  await caller.send("DELETE", `/v2/documents/${await caller.idIn("/v2/documents")}`);
  await caller.send("PATCH", `/v2/notes/${await caller.idIn("/v2/notes")}`, { body: note });
  await caller.send("POST", "/v2/notes", { body: note });
}
