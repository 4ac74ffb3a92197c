import { describe, expect, it } from "vitest";
import type { Field } from "./operation.ts";
import { anOperation } from "../testing/samples.ts";
import { attemptKind, attemptRequest, emptyAttempt } from "./credential-attempts.ts";

const field = (name: string, parts: Partial<Field> = {}): Field => ({
  path: name,
  name,
  type: "string",
  readOnly: false,
  required: true,
  ...parts,
});
const post = (path: string, names: readonly string[], mediaType: string = "application/json") =>
  anOperation({
    method: "POST",
    path,
    body: {
      mediaType,
      required: true,
      sample: { remember: true },
      fields: names.map((name) => field(name)),
      closed: false,
    },
  });
const attempt = { user: "nobody", password: "wrong", code: "123456" };

describe("attemptKind", () => {
  it.each([
    ["/login", ["email", "password"], "sign-ins"],
    ["/v2/sessions", ["username", "password", "device"], "sign-ins"],
    ["/password-resets", ["email"], "password resets"],
    ["/account/forgot-password", ["email"], "password resets"],
    ["/verifications", ["code"], "one-time codes"],
    ["/otp/verify", ["email", "otp"], "one-time codes"],
    ["/login", ["email"], undefined],
    ["/otp", ["phone"], undefined],
    ["/users", ["email", "password"], undefined],
    ["/sessions", ["title", "speaker"], undefined],
    ["/discount-codes", ["code", "percent"], undefined],
  ])("attemptKind of %s with %j is %s", (path, names, kind) => {
    expect(attemptKind(post(path, names).facts)).toBe(kind);
  });

  it("attemptKind of a file upload is none", () => {
    expect(attemptKind(post("/login", ["email", "password"], "multipart/form-data").facts)).toBeUndefined();
  });
});

describe("an attempt", () => {
  it("names a user who cannot exist, beside what the document gives as an example", () => {
    const { body, form } = attemptRequest(post("/login", ["email", "password"]), attempt);
    expect(JSON.parse(body!)).toEqual({
      remember: true,
      email: "nobody@glovebox.invalid",
      password: "wrong",
    });
    expect(form).toEqual({ kind: "attempt", credentials: "wrong" });
  });

  it("an attempt to reset a password has an address that no mail reaches", () => {
    const { body } = attemptRequest(post("/password-resets", ["email"]), attempt);
    expect(JSON.parse(body!)).toMatchObject({ email: "nobody@glovebox.invalid" });
  });

  it("an attempt is a form where the document declares one", () => {
    const form = post("/token", ["username", "password"], "application/x-www-form-urlencoded");
    expect(attemptRequest(form, attempt)).toMatchObject({
      body: "remember=true&username=nobody&password=wrong",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  });

  it("an attempt with nothing in it has an empty object as its body", () => {
    expect(emptyAttempt(post("/login", ["email", "password"])).body).toBe("{}");
  });
});
