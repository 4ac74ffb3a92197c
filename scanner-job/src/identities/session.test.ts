import { describe, expect, it } from "vitest";
import { bearer, callersOf, login, pathOf, type Api } from "../testing/callers-of.ts";
import { IdentityRejected } from "./callers.ts";
import { MASK } from "./secret-mask.ts";

describe("a sign-in", () => {
  it("finds the token by itself, and every request of the caller has it", async () => {
    const { callers, transmit, get, sent } = callersOf(
      (request) => (request.method === "POST" ? { body: { data: { token: "token-one" } } } : {}),
      { login },
    );
    await callers.signIn(transmit);
    await get("/v1/me");
    expect(bearer(sent.at(-1)!)).toBe("Bearer token-one");
  });

  it("a sign-in is sent below the base first, and to the root where the base has no such path", async () => {
    const { callers, transmit, sent } = callersOf(
      ({ url }) => (url.includes("/v1/") ? { status: 404 } : { body: { token: "token-one" } }),
      { login },
    );
    await callers.signIn(transmit);
    expect(sent.map(pathOf)).toEqual(["POST /v1/session", "POST /session"]);
  });

  it("a sign-in is sent to the root where a gateway refuses every path below the base", async () => {
    const { callers, transmit, sent } = callersOf(
      ({ url }) => (url.includes("/v1/") ? { status: 401 } : { body: { token: "token-one" } }),
      { login },
    );
    await callers.signIn(transmit);
    expect(sent.map(pathOf)).toEqual(["POST /v1/session", "POST /session"]);
  });

  it("a sign-in by cookie sends the cookie, and the token against request forgery with what may write", async () => {
    const { callers, transmit, sent, get } = callersOf(
      ({ method }) =>
        method === "POST" ? { headers: { "set-cookie": "sid=session-1\nXSRF-TOKEN=csrf-token-1" } } : {},
      { login: { ...login, form: { user: "alice", password: "alice-secret" }, body: undefined } },
    );
    await callers.signIn(transmit);
    expect(sent[0]?.body).toBe("user=alice&password=alice-secret");
    await get("/v1/me");
    expect(sent.at(-1)?.headers).toEqual({ cookie: "sid=session-1; XSRF-TOKEN=csrf-token-1" });
    await callers.exchange({ method: "PUT", url: "https://api.example/v1/me", body: "{}" }, transmit);
    expect(sent.at(-1)?.headers).toMatchObject({ "x-xsrf-token": "csrf-token-1" });
  });

  it("reads the token against request forgery from its page, where it is asked for one", async () => {
    const { callers, transmit, sent } = callersOf(
      ({ method, headers = {} }) => {
        if (method === "GET")
          return {
            headers: { "content-type": "text/html" },
            body: `<input name="_csrf" value="page-token">`,
          };
        if (headers["x-csrf-token"] !== "page-token")
          return { status: 403, body: { error: "invalid csrf token" } };
        return { body: { token: "token-one" } };
      },
      { login },
    );
    await expect(callers.signIn(transmit)).resolves.toBeUndefined();
    expect(sent.map(pathOf)).toEqual(["POST /v1/session", "GET /v1/session", "POST /v1/session"]);
  });

  it.each<[string, ReturnType<Api>, string]>([
    [
      "is refused",
      { status: 401, body: { error: "wrong password alice-secret" } },
      'returned 401: {"error":"wrong password [masked]"}',
    ],
    ["succeeds without a token or a cookie", { body: { ok: true } }, 'returned 200: {"ok":true}'],
    [
      "only sets a cookie against request forgery",
      { headers: { "set-cookie": "csrftoken=abcdefgh" } },
      "returned 200",
    ],
    [
      "leads back to its page",
      { status: 302, headers: { location: "/login?error=1", "set-cookie": "flash=abcdefgh" } },
      "returned 302",
    ],
  ])("a sign-in that %s rejects the identity, with the response", async (_, response, reason) => {
    const { callers, transmit } = callersOf(() => response, { login });
    const rejected = await callers.signIn(transmit).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(IdentityRejected);
    expect((rejected as Error).message).toContain(`Identity alice: POST /v1/session ${reason}`);
  });
});

describe("what a check sees of a response", () => {
  const echo: Api = ({ method, headers }) =>
    method === "POST"
      ? { body: { token: "token-one" } }
      : { headers: { location: `/?t=token-one` }, body: { headers, basic: btoa(`x:token-one`) } };

  it("what a check sees of a response is without the secrets of the caller, wherever the target returns them", async () => {
    const { callers, transmit, get } = callersOf(echo, { login });
    await callers.signIn(transmit);
    const response = await get("/v1/echo");
    expect(response.body + JSON.stringify(response.headers)).not.toMatch(/token-one|dG9rZW4tb25l/);
    expect(response.json).toMatchObject({ headers: { authorization: `Bearer ${MASK}` } });
    expect(response.request).toEqual({ method: "GET", url: "https://api.example/v1/echo" });
  });

  it("what a check sees of a response is an error where the request names nobody of the scan, and nothing is sent", async () => {
    const { get, sent } = callersOf(() => ({}), { headers: { "x-key": "alice-key" } });
    await expect(get("/", "mallory")).rejects.toThrow("mallory is not a caller of this scan");
    expect(sent).toEqual([]);
  });

  it("names the caller: the administrator unless the request says otherwise", async () => {
    const { get, sent } = callersOf(
      () => ({}),
      { headers: { "x-key": "alice-key" } },
      { role: "admin", headers: { "x-key": "bobby-key" } },
    );
    const callers = [await get("/"), await get("/", "alice"), await get("/", "anonymous")].map(
      ({ caller }) => caller,
    );
    expect(callers).toEqual(["bob", "alice", "anonymous"]);
    expect(sent.map(({ headers }) => headers?.["x-key"])).toEqual(["bobby-key", "alice-key", undefined]);
  });
});

describe("a disposable session", () => {
  const refresh = { operation: "POST /session/refresh", body: { token: "/refresh" } };
  let count = 0;
  const api: Api = ({ method, url }) =>
    method === "POST"
      ? { body: { token: `token-number-${++count}`, refresh: `refresh-number-${count}` } }
      : { status: url.endsWith("/me") ? 401 : 200 };
  const signOut = {
    method: "POST",
    url: "https://api.example/v1/sign-out",
    form: { kind: "session" },
  } as const;

  it("a disposable session has credentials of its own, which are not renewed", async () => {
    const { callers, transmit, sent, get } = callersOf(api, { login });
    await callers.signIn(transmit);
    const session = (await callers.disposableBy(transmit, async () => {}).open("alice"))!;
    const before = sent.length;
    await get("/v1/me", session.caller);
    expect(sent.slice(before).map(pathOf)).toEqual(["GET /v1/me"]);
    await get("/v1/orders", "alice");
    expect(bearer(sent.at(-1)!)).not.toBe(bearer(sent.at(-2)!));
  });

  it("alone may be ended: for every other caller the request is not sent", async () => {
    const { callers, transmit, sent } = callersOf(api, { login });
    await callers.signIn(transmit);
    const { caller } = (await callers.disposableBy(transmit, async () => {}).open("alice"))!;
    const before = sent.length;
    for (const as of ["alice", "anonymous", undefined])
      await expect(
        callers.exchange({ ...signOut, ...(as !== undefined && { as }) }, transmit),
      ).rejects.toMatchObject({ kind: "write_refused" });
    expect(sent).toHaveLength(before);
    await callers.exchange({ ...signOut, as: caller }, transmit);
    expect(sent).toHaveLength(before + 1);
  });

  it("a disposable session is renewed with the same refresh token each time, and shows neither token", async () => {
    const { callers, transmit, sent } = callersOf(api, { login: { ...login, refresh } });
    await callers.signIn(transmit);
    const session = (await callers.disposableBy(transmit, async () => {}).open("alice"))!;
    const { valid, invalid } = session.refreshes[0]!;
    const responses = [];
    for (const request of [valid, valid, invalid]) responses.push(await callers.exchange(request, transmit));
    const [first, second, third] = sent.slice(-3).map(({ body }) => body);
    expect(first).toMatch(/refresh-number-\d+/);
    expect(second).toBe(first);
    expect(third).not.toMatch(/refresh-number/);
    expect(session.rotates).toBe(true);
    expect(JSON.stringify(responses.map(({ body, request }) => [body, request]))).not.toMatch(/-number-/);
  });

  it("can be had of a token that was replaced and has expired", async () => {
    const { callers, transmit, get, sent, wait } = callersOf(
      ({ method }) =>
        method === "POST" ? { body: { token: `token-number-${++count}`, expires_in: 60 } } : {},
      { login },
    );
    await callers.signIn(transmit);
    await get("/v1/orders");
    const first = bearer(sent.at(-1)!);
    const waited: number[] = [];
    const { expired } = callers.disposableBy(transmit, async (ms) => {
      waited.push(ms);
      wait(ms / 1_000);
    });
    wait(50);
    await get("/v1/orders");
    expect(await expired("alice", 120)).toBeUndefined();
    expect(waited).toEqual([]);
    const { caller, overdueSeconds } = (await expired("alice", 20))!;
    expect(waited).toEqual([30_000]);
    expect(overdueSeconds).toBe(20);
    await get("/v1/orders", caller);
    expect(bearer(sent.at(-1)!)).toBe(first);
  });
});
