import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OidcClient, readClaims, type PendingLogin } from "./oidc-client.ts";

const REDIRECT = "http://localhost/sign-in/oidc/corp/callback";
const keyPair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const own = keyPair();
const otherKeys = keyPair();
let server: Server;
let issuer: string;
/** The ID token that the provider gives next, for a nonce. */
let nextToken: (nonce: string) => string;
let nonce: string;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(
  claims: object,
  { key = own.privateKey, alg = "RS256" }: { key?: KeyObject; alg?: string } = {},
) {
  const body = `${encode({ alg, kid: "k" })}.${encode(claims)}`;
  if (alg === "none") return `${body}.`;
  const publicPem = own.publicKey.export({ type: "spki", format: "pem" });
  const signature =
    alg === "HS256"
      ? createHmac("sha256", publicPem).update(body).digest("base64url")
      : createSign("sha256").update(body).sign(key, "base64url");
  return `${body}.${signature}`;
}

const seconds = (): number => Math.floor(Date.now() / 1000);
const claimsOf = (over: object = {}) => ({
  ...{ iss: issuer, aud: "glovebox", sub: "ada", nonce, iat: seconds(), exp: seconds() + 300 },
  ...over,
});

beforeAll(async () => {
  server = createServer((req, res) => {
    const json = (value: object) =>
      res.setHeader("Content-Type", "application/json").end(JSON.stringify(value));
    if (req.url === "/.well-known/openid-configuration")
      json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    else if (req.url === "/keys")
      json({ keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] });
    else json({ access_token: "a", token_type: "Bearer", id_token: nextToken(nonce) });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function finish(token: (nonce: string) => string) {
  const client = new OidcClient({
    ...{ id: "corp", name: "Corp", issuer, clientId: "glovebox", clientSecret: undefined },
    ...{ scopes: ["openid"], groupsClaim: "groups", administrators: [], roles: [] },
  });
  const { pending }: { pending: PendingLogin } = await client.begin(REDIRECT);
  ({ nonce } = pending);
  nextToken = token;
  return client.finish(new URL(`${REDIRECT}?code=c&state=${pending.state}`), pending);
}

describe("an ID token", () => {
  test("an ID token that the provider signed is accepted", async () => {
    expect(await finish(() => signed(claimsOf()))).toMatchObject({ issuer, subject: "ada" });
  });

  test.each<[string, () => string]>([
    ["with a broken signature", () => signed(claimsOf()).replace(/\.[\w-]+$/, ".AAAA")],
    ["signed with a key of somebody else", () => signed(claimsOf(), { key: otherKeys.privateKey })],
    ["without a signature", () => signed(claimsOf(), { alg: "none" })],
    ["signed with the public key as a secret", () => signed(claimsOf(), { alg: "HS256" })],
    [
      "changed after it was signed",
      () => signed(claimsOf()).replace(/\.[\w-]+\./, `.${encode(claimsOf({ sub: "eve" }))}.`),
    ],
    ["issued tomorrow", () => signed(claimsOf({ iat: seconds() + 86_400, exp: seconds() + 90_000 }))],
    ["for another client", () => signed(claimsOf({ aud: "other" }))],
    ["for another login", () => signed(claimsOf({ nonce: createHash("sha256").digest("base64url") }))],
  ])("%s is refused", async (_what, token) => {
    await expect(finish(token)).rejects.toThrow();
  });
});

describe("what a provider says of a user", () => {
  const read = (claims: object) => readClaims({ iss: "https://id.example", sub: "ada", ...claims }, "groups");

  test.each(["not an address", "a\0@example.com", "\u0130da@example.com", "", 7, null])(
    "what a provider says of a user is not an address if it is %j",
    (email) => {
      expect(read({ email }).email).toBeUndefined();
    },
  );

  test("what a provider says of a user is an address in its normal form", () => {
    expect(read({ email: " Ada@Example.com" }).email).toBe("ada@example.com");
  });

  test.each([
    [undefined, true],
    [true, true],
    ["true", true],
    [false, false],
    ["false", false],
    [0, false],
    [null, false],
    ["", false],
    [{}, false],
  ])(
    "what a provider says of a user with email_verified %j counts as verified: %s",
    (email_verified, isEmailVerified) => {
      expect(read({ email: "ada@example.com", email_verified })).toMatchObject({ isEmailVerified });
    },
  );

  test("what a provider says of a user has no name with control characters", () => {
    expect(read({ name: "A\0da" }).name).toBeUndefined();
    expect(read({ name: "A\0da", preferred_username: "ada" }).name).toBe("ada");
  });

  test.each(["a\0da", "", "x".repeat(256), undefined])(
    "what a provider says of a user is refused with the subject %j",
    (sub) => {
      expect(() => read({ sub })).toThrow("no subject");
    },
  );
});
