import { get } from "node:http";
import { type SecureVersion, connect } from "node:tls";
import { expect, it } from "vitest";
import { type Api, startApi } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { encryption } from "./encryption.ts";

function supports(api: Api, version: SecureVersion, ciphers = "ALL:eNULL:@SECLEVEL=0"): Promise<boolean> {
  const { hostname, port } = new URL(api.demo.url);
  return new Promise((resolve) => {
    const options = { host: hostname, port: Number(port), ca: api.demo.caPem, ciphers };
    const socket = connect({ ...options, minVersion: version, maxVersion: version }, () => {
      resolve(socket.getProtocol() === version);
      socket.destroy();
    });
    socket.on("error", () => resolve(false));
  });
}

const cookieOf = async (api: Api) => String((await api.get("/")).headers["set-cookie"]);

function plainStatus(api: Api): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${api.demo.plainHttpUrl}/health`, { agent: false }, (response) =>
      resolve(response.resume().statusCode),
    ).on("error", reject);
  });
}

testWeaknesses("encryption", encryption, {
  "TLS 1.0, TLS 1.1 and NULL ciphers are enabled": async (api) =>
    (await supports(api, "TLSv1")) &&
    (await supports(api, "TLSv1.1")) &&
    supports(api, "TLSv1.2", "ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0"),
  "`Strict-Transport-Security` is missing": async (api) =>
    (await api.get("/health")).headers["strict-transport-security"] === undefined,
  "The API is served over plain HTTP instead of a redirect": async (api) => (await plainStatus(api)) === 200,
  "The session cookie lacks `Secure`": async (api) => !(await cookieOf(api)).includes("; Secure"),
  "The session cookie lacks `HttpOnly` and `SameSite`": async (api) =>
    !/; (HttpOnly|SameSite)/.test(await cookieOf(api)),
  "The OpenAPI document contains `http:` server and token URLs": async (api) =>
    /"url":"http:.*"tokenUrl":"http:/.test((await api.get("/openapi.json")).text),
  "The OpenAPI document contains staging and development hosts": async (api) =>
    /staging\..*dev\./.test((await api.get("/openapi.json")).text),
});

it.each(["TLSv1.2", "TLSv1.3"] as const)("the hardened variant supports %s", async (version) => {
  const api = await startApi("hardened");
  expect(await supports(api, version, undefined)).toBe(true);
  expect(await plainStatus(api)).toBe(308);
  await api.demo.close();
});
