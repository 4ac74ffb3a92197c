import { describe, expect, it } from "vitest";
import type { ProbeRequest } from "../transport/exchange.ts";
import { csrfTokenIn, withCsrfToken } from "./csrf.ts";

const nothing = { headers: {}, body: "", mediaType: "", json: undefined };

describe("a token against request forgery is found", () => {
  it.each<[string, Parameters<typeof csrfTokenIn>[0], object]>([
    [
      "in a header",
      { ...nothing, headers: { "x-csrf-token": "token-1" } },
      { value: "token-1", header: "x-csrf-token" },
    ],
    [
      "in the cookie of Angular and Laravel",
      { ...nothing, headers: { "set-cookie": "sid=1\nXSRF-TOKEN=a%3Db-token; Path=/" } },
      { value: "a=b-token", header: "x-xsrf-token" },
    ],
    [
      "in the cookie of Django",
      { ...nothing, headers: { "set-cookie": "csrftoken=token-1; Path=/" } },
      { value: "token-1", header: "x-csrftoken", field: "csrfmiddlewaretoken" },
    ],
    [
      "in a member of JSON",
      { ...nothing, json: { csrfToken: "token-1" } },
      { value: "token-1", header: "x-csrf-token" },
    ],
    [
      "in the hidden field of a page",
      {
        ...nothing,
        mediaType: "text/html",
        body: `<form><input type=hidden name="authenticity_token" value="token-1">`,
      },
      { value: "token-1", field: "authenticity_token" },
    ],
    [
      "in a meta element",
      { ...nothing, mediaType: "text/html", body: `<meta content="token-1" name='csrf-token'/>` },
      { value: "token-1", header: "x-csrf-token" },
    ],
  ])("%s", (_, response, token) => {
    expect(csrfTokenIn(response)).toMatchObject(token);
  });

  it("nowhere else", () => {
    expect(
      csrfTokenIn({ ...nothing, headers: { "set-cookie": "sid=abcdefgh" }, json: { token: "abcdefgh" } }),
    ).toBeUndefined();
  });
});

describe("a request with the token", () => {
  const token = { value: "t+1", header: "x-csrf-token", field: "_csrf" };
  const post: ProbeRequest = { method: "POST", url: "https://api.example/", headers: {}, body: "{}" };

  it("a request with the token has it in the header where the method may write", () => {
    expect(withCsrfToken(post, token).headers).toEqual({ "x-csrf-token": "t+1" });
    expect(withCsrfToken({ ...post, method: "GET" }, token)).toEqual({ ...post, method: "GET" });
  });

  it("a request with the token has it in the form too", () => {
    const form = { ...post, headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1" };
    expect(withCsrfToken(form, token).body).toBe("a=1&_csrf=t%2B1");
  });

  it("keeps the token that a check has set", () => {
    const forged = { ...post, headers: { "X-CSRF-Token": "forged" } };
    expect(withCsrfToken(forged, token)).toEqual(forged);
  });
});
