import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "./areas/index.ts";
import { type Api, bearer, startApi } from "./testing/api.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const served = ROUTES.filter(({ hardened }) => hardened);
const paths = [...new Set(served.map(({ path }) => path))];
const concrete = (path: string) => path.replace(/\{[^}]+\}/g, "00000000-0000-4000-8000-000000000000");
const accessOf = (path: string) => served.filter((route) => route.path === path).map(({ access }) => access);
const guarded = paths.filter((path) => !accessOf(path).includes("public"));

let api: Api;
beforeAll(async () => {
  api = await startApi("hardened");
});
afterAll(() => api.demo.close());

const everyMethod = (path: string, headers: Record<string, string>) =>
  Promise.all(METHODS.map((method) => api.send(method, concrete(path), { headers, body: "{" })));

describe("the hardened variant", () => {
  it.each(guarded)("returns 401 at %s for every method without valid credentials", async (path) => {
    for (const headers of [{}, bearer("garbage"), bearer("eyJhbGciOiJub25lIn0.e30.")]) {
      const statuses = (await everyMethod(path, headers as Record<string, string>)).map(
        ({ status }) => status,
      );
      expect(statuses).toEqual(METHODS.map(() => 401));
    }
  });

  it.each(paths)("returns 405 with the allowed methods at %s for the methods that are not", async (path) => {
    const methods = served.filter((route) => route.path === path).map(({ method }) => method);
    const responses = await everyMethod(path, bearer(api.demo.accounts[2]!.token));
    for (const [index, { status, headers }] of responses.entries()) {
      if (methods.includes(METHODS[index]!)) expect(status).not.toBe(405);
      else expect([status, headers.allow?.includes(methods[0]!)]).toEqual([405, true]);
    }
  });

  it.each(guarded.filter((path) => accessOf(path).every((access) => access === "admin")))(
    "returns 403 at %s for an account that is not an administrator",
    async (path) => {
      expect((await api.get(concrete(path), bearer(api.demo.accounts[0]!.token))).status).toBe(403);
    },
  );

  it.each(["patients", "invoices"] as const)("returns %s to their owner only", async (list) => {
    const path = `/v2/${list}/${await api.ownId(list)}`;
    const [owner, other] = api.demo.accounts;
    expect((await api.get(path, bearer(owner!.token))).status).toBe(200);
    expect((await api.get(path, bearer(other!.token))).status).toBe(404);
  });

  it("returns no sensitive data without credentials at any path", async () => {
    const responses = await Promise.all(paths.map((path) => api.get(concrete(path))));
    for (const { text } of responses) {
      expect(text).not.toMatch(
        /passwordHash|"ssn"|apiToken|@larkfield\.test|\d{3}-\d{2}-\d{4}|10\.\d+\.\d+\.\d+|"stack"/,
      );
    }
  });

  it("sends its security headers and no CORS headers with every response", async () => {
    for (const path of ["/health", "/v2/patients", "/nowhere"]) {
      const { headers } = await api.get(path, { origin: "https://canary.invalid" });
      expect(headers).toMatchObject({
        "strict-transport-security": "max-age=31536000; includeSubDomains",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "ratelimit-limit": expect.stringMatching(/^\d+$/),
      });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
      expect(headers).not.toHaveProperty("server");
    }
  });

  it("rejects an invalid query with the parameter and the reason", async () => {
    const reason = async (path: string) => JSON.parse((await api.get(path)).text) as object;
    expect(await reason("/v2/events?limit=1000")).toEqual({
      error: { code: "invalid_request", message: "limit: must be from 1 to 50" },
    });
    expect(await reason("/v2/doctors?fields=*")).toEqual({
      error: { code: "invalid_request", message: "fields: is not a parameter of this operation" },
    });
  });

  it("accepts a correct password, and then the token that it returned", async () => {
    const { email, password } = api.demo.accounts[0]!;
    const { text, headers } = await api.send("POST", "/v2/sessions", { body: { email, password } });
    const { token } = JSON.parse(text) as { token: string };
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-.*Secure; HttpOnly; SameSite=Strict$/),
    ]);
    expect((await api.get("/v2/me", bearer(token))).text).toContain(email);
  });

  it("refuses a body over 1 MiB with 413", async () => {
    const body = { message: "a".repeat(1024 * 1024) };
    expect((await api.send("POST", "/v2/feedback", { body })).status).toBe(413);
  });
});
