import { identitySchema, type IdentityInput } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import type { ProbeRequest } from "../transport/exchange.ts";
import { secretsOf, statedCredentials, withCredentials } from "./credentials.ts";

const request: ProbeRequest = {
  method: "GET",
  url: "https://api.example/items?page=1",
  headers: { accept: "*/*" },
};
const asCaller = (identity: Omit<IdentityInput, "name">, sent = request): ProbeRequest =>
  withCredentials(sent, statedCredentials(identitySchema.parse({ name: "alice", ...identity })));

describe("a request as a caller", () => {
  it("a request as a caller has the caller's headers, cookies and parameters beside its own", () => {
    const sent = asCaller({
      headers: { Authorization: "Bearer t" },
      cookies: { sid: "1", theme: "dark" },
      query: { api_key: "k y" },
    });
    expect(sent.headers).toEqual({ accept: "*/*", authorization: "Bearer t", cookie: "sid=1; theme=dark" });
    expect(sent.url).toBe("https://api.example/items?page=1&api_key=k+y");
  });

  it("keeps what a check has set in place of a credential", () => {
    const forged = { ...request, headers: { Authorization: "Bearer forged", cookie: "sid=forged" } };
    const sent = asCaller(
      { headers: { Authorization: "Bearer t" }, cookies: { sid: "1", csrf: "2" } },
      forged,
    );
    expect(sent.headers).toEqual({ authorization: "Bearer forged", cookie: "sid=forged; csrf=2" });
    expect(asCaller({ query: { page: "9" } }).url).toBe(request.url);
  });

  it("a request as a caller has the parameters in the path that is sent as it is", () => {
    expect(asCaller({ query: { key: "1" } }, { ...request, rawPath: "/a/../b" }).rawPath).toBe(
      "/a/../b?key=1",
    );
  });

  it("a request as a caller is the request itself without credentials", () => {
    expect(withCredentials(request, { headers: {}, cookies: {}, query: {} })).toEqual(request);
  });
});

describe("the secrets of an identity", () => {
  const secrets = (identity: Omit<IdentityInput, "name">): string[] =>
    secretsOf(identitySchema.parse({ name: "alice", ...identity }));

  it("the secrets of an identity are its credentials, also without their scheme", () => {
    expect(
      secrets({ headers: { Authorization: "Bearer abc" }, query: { key: "q" }, cookies: { sid: "c" } }),
    ).toEqual(["Bearer abc", "abc", "c", "q"]);
  });

  it("the secrets of an identity are the password of Basic credentials and the values of a Cookie header", () => {
    expect(secrets({ headers: { Authorization: `Basic ${btoa("alice:pass:word")}` } })).toContain(
      "pass:word",
    );
    expect(secrets({ headers: { Cookie: "a=one; b=two" } })).toEqual(expect.arrayContaining(["one", "two"]));
  });

  it("the secrets of an identity are what is sent to sign in, but for the user name", () => {
    const body = { email: "alice@example.com", password: "pw", nested: { otp: 123 }, grant_type: "password" };
    expect(secrets({ login: { operation: "POST /session", body } })).toEqual(["pw", "123"]);
  });

  it("the secrets of an identity are not the headers that select a tenant or a language", () => {
    expect(secrets({ headers: { "X-Tenant-Id": "acme-berlin", "Accept-Language": "de" } })).toEqual([]);
  });
});
