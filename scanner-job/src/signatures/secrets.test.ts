import { describe, expect, it } from "vitest";
import { jsonWebToken } from "../attacks/forged-tokens.ts";
import { entropyOf, secretsIn } from "./secrets.ts";

const letters = "q7Rt2LkV9xZb4NwP0sYc8MdHfG3jTeA6uQ1o";
const keyOf = (kind: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${letters.repeat(4)}\n-----END ${kind}PRIVATE KEY-----`;

describe("secretsIn", () => {
  it.each([
    ["private key", keyOf("RSA ")],
    ["private key", JSON.stringify({ key: keyOf("") })],
    ["AWS access key", ["AKIA", "Q7RT2LKV3XZB4NWP"].join("")],
    ["payment key", ["sk", "live", letters.slice(0, 24)].join("_")],
    ["GitHub token", `ghp_${letters}`],
    ["npm token", `npm_${letters}`],
    ["connection string with a password", "postgres://app:q7Rt2LkV@db.acme.test:5432/app"],
    ["connection string with a password", "mongodb+srv://app:q7-Rt2@cluster.acme.test/"],
    ["JSON Web Token", jsonWebToken({ alg: "HS256" }, { sub: "7" }, letters)],
    ["address with a password", "https://ada:q7Rt2LkV@intranet.acme.test/"],
    ["Google access token", `ya29.${letters}`],
    ["Google API key", `AIza${letters.slice(0, 35)}`],
    ["Azure storage key", `AccountKey=${letters.repeat(3).slice(0, 86)}==;`],
    ["Slack webhook", `https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/${letters.slice(0, 24)}`],
    [
      "Teams webhook",
      "https://outlook.office.com/webhook/0b9c1a52-6a4e-4a8e-9c55-54a0ff7b2f1d@x/IncomingWebhook",
    ],
    [
      "Discord webhook",
      `https://discord.com/api/webhooks/123456789012345678/${letters.repeat(2).slice(0, 68)}`,
    ],
    ["Telegram bot token", `123456789:AA${letters.slice(0, 33)}`],
    ["Braintree token", "access_token$production$x0lb4r69dvmmnufd$3ea7cb281754b7da7eca131ef9642324"],
    ["Twilio key", ["SK", "3ea7cb281754b7da7dca131ef9642324"].join("")],
    ["Mailgun key", "key-3ea7cb281754b7da7dca131ef9642324"],
    ["assigned secret", `CODECLIMATE_REPO_TOKEN=${letters}`],
    ["password hash", "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy"],
  ])("finds a %s, and does not repeat it", (kind, text) => {
    const [secret] = secretsIn(`{"value": "${text}"}`);
    expect(secret?.kind).toBe(kind);
    expect(secret?.masked).not.toContain(letters.slice(0, 8));
  });

  it.each([
    ["the sample of a manual", "AKIAIOSFODNN7EXAMPLE"],
    ["a key of one letter", `ghp_${"a".repeat(36)}`],
    ["a placeholder for a password", "postgres://user:password@localhost/db"],
    ["a token against forged requests", `XSRF_TOKEN=${letters}`],
    ["the nonce of a page", `<script nonce="${letters}">window.PAGE_NONCE_TOKEN=${letters}</script>`],
    ["a rewrite rule", "https://:tenant:(?<rest>.*)@files.acme.test/$1"],
    ["an address without a password", "postgres://db.acme.test/app"],
    ["a key that is made to be shown", ["pk", "live", letters].join("_")],
    ["a public key", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"],
    ["the token of every visitor", jsonWebToken({ alg: "HS256" }, { sub: "x", role: "anon" }, letters)],
    ["three words with dots between", `eyJhbGciOi.${letters}.${letters}`],
    [
      "a link that is signed",
      "https://files.s3.amazonaws.com/a.pdf?X-Amz-Credential=AKIAQ3EGRS7YTX2WVNBC%2F20260101%2Fs3&X-Amz-Signature=3f786850e387550f",
    ],
    [
      "a link that is signed in the old way",
      "https://s3.test/a?AWSAccessKeyId=AKIAQ3EGRS7YTX2WVNBC&Signature=x",
    ],
    ["a key of a map", `map=AIza${letters.slice(0, 35)}`],
    ["the settings of Firebase", `AIza${letters.slice(0, 35)}", "authDomain": "a.firebaseapp.com`],
    ["a variable instead of a secret", "CI_DEPLOY_TOKEN=${CI_DEPLOY_TOKEN}"],
    ["an address with a sample", "https://user:password@example.org/"],
    ["the token of every manual", jsonWebToken({ alg: "HS256" }, { sub: "1234567890" }, letters)],
    ["a commit", "3f786850e387550fdab836ed7e6dc881de23001b"],
  ])("takes %s for none", (_, text) => {
    expect(secretsIn(`{"value": "${text}"}`)).toEqual([]);
  });

  it("lists ten at most", () => {
    const keys = Array.from(
      { length: 30 },
      (_, index) => `ghp_${String(index).padStart(2, "0")}${letters.slice(2)}`,
    );
    expect(secretsIn(keys.join(" "))).toHaveLength(10);
  });
});

describe("entropyOf", () => {
  it.each([
    ["aaaa", 0],
    ["abab", 1],
    ["abcd", 2],
  ])("counts the bits of each character of %s", (text, bits) => {
    expect(entropyOf(text)).toBeCloseTo(bits);
  });
});
