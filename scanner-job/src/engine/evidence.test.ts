import { X509Certificate } from "node:crypto";
import { expect, it, describe } from "vitest";
import { createDemoCertificates } from "@glovebox/demo";
import { aResponse } from "../testing/samples.ts";
import { evidenceOf, handshakeOptions, handshakeResponse } from "./evidence.ts";
import type { Recorded } from "./probe.ts";

const recorded = (role: Recorded["role"], url: string): Recorded => {
  const request = { method: "GET", url: `https://api.example${url}` };
  return { role, request, response: aResponse({ request, body: url }) };
};
const rolesAndPaths = (exchanges: ReturnType<typeof evidenceOf>["exchanges"]) =>
  exchanges.map(({ role, request }) => `${role} ${new URL(request.url).pathname}`);

it("keeps a control even when many attacks came after it", () => {
  const attacks = [1, 2, 3, 4, 5, 6, 7].map((id) => recorded("attack", `/${id}`));
  const { exchanges } = evidenceOf(
    { rule: "rule" },
    [recorded("control", "/none"), ...attacks],
    attacks.slice(0, 1),
  );
  expect(rolesAndPaths(exchanges)).toEqual([
    "control /none",
    "attack /3",
    "attack /4",
    "attack /5",
    "attack /6",
    "attack /7",
    "repeat /1",
  ]);
});

it("keeps the attack on the location, and gives a command for it, when other attacks came after it", () => {
  const [wanted, ...others] = [1, 2, 3, 4, 5, 6, 7].map((id) => recorded("attack", `/${id}`));
  const location = { method: "GET", path: "/1" };
  const first = [wanted!, recorded("control", "/none"), ...others];
  const { exchanges, curl } = evidenceOf({ rule: "rule", location }, first, [wanted!, ...others]);
  expect(rolesAndPaths(exchanges)).toEqual([
    "attack /1",
    "control /none",
    "attack /4",
    "attack /5",
    "attack /6",
    "attack /7",
    "repeat /1",
    "repeat /7",
  ]);
  expect(curl).toContain("https://api.example/1");
});

it("lists each response once, at its last use", () => {
  const responses = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => recorded("baseline", `/${id}`));
  const { exchanges } = evidenceOf({ rule: "rule" }, [...responses, responses[0]!], [responses[0]!]);
  expect(rolesAndPaths(exchanges)).toEqual([
    "baseline /4",
    "baseline /5",
    "baseline /6",
    "baseline /7",
    "baseline /8",
    "baseline /1",
    "baseline /1",
  ]);
});

it("gives a command for the last attack, with the path as it went on the wire", () => {
  const attack = recorded("attack", "/a");
  const raw = { ...attack, request: { ...attack.request, rawPath: "//a/%2e" } };
  const { curl } = evidenceOf({ rule: "rule" }, [raw, recorded("control", "/b")], []);
  expect(curl).toBe("curl -gski -X GET --path-as-is 'https://api.example//a/%2e'");
});

it("gives a command with the made-up credentials in full, and masks them in what it shows of the exchange", () => {
  const attack = recorded("attack", "/a");
  const headers = { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHkifQ." };
  const request = { ...attack.request, method: "POST", headers, body: '{"password":"it\'s"}' };
  const { curl, exchanges } = evidenceOf({ rule: "rule" }, [{ ...attack, request }], []);
  expect(curl).toBe(
    `curl -gski -X POST -H 'authorization: ${headers.authorization}' --data-raw '{"password":"it'\\''s"}' 'https://api.example/a'`,
  );
  expect(exchanges[0]?.request.headers).toEqual({ authorization: "[masked]" });
});

const { certPem } = await createDemoCertificates();
const made = {
  protocol: "TLSv1",
  cipher: "AES128-SHA",
  certificate: new X509Certificate(certPem).toLegacyObject(),
  at: new Date(),
  distrust: undefined,
};

it("a handshake becomes an exchange with the offer and the negotiated parameters", () => {
  const response = handshakeResponse(new URL("https://api.example/v1?key=x"), { version: "TLSv1" }, made);
  expect(response.request).toEqual({
    method: "TLS",
    url: "https://api.example",
    headers: { version: "TLSv1" },
  });
  expect(response.json).toMatchObject({ protocol: "TLSv1", cipher: "AES128-SHA" });
});

describe("handshakeOptions", () => {
  it.each([
    ["nothing in particular", {}, "-skv"],
    ["TLS 1.0", { version: "TLSv1" }, "-skv --tlsv1.0 --tls-max 1.0 --ciphers 'DEFAULT:@SECLEVEL=0'"],
    [
      "a group of ciphers",
      { version: "TLSv1.2", ciphers: "eNULL:!aNULL" },
      "-skv --tlsv1.2 --tls-max 1.2 --ciphers 'eNULL:!aNULL:@SECLEVEL=0'",
    ],
  ])("offer %s", (_, headers, options) => {
    expect(handshakeOptions({ method: "TLS", url: "https://api.example", headers }).join(" ")).toBe(options);
  });
});
