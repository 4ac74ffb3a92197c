import { createDemoCertificates } from "@glovebox/demo";
import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { handshakeOptions, handshakeReply } from "./handshake-evidence.ts";

const { certPem } = await createDemoCertificates();
const made = {
  protocol: "TLSv1",
  cipher: "AES128-SHA",
  certificate: new X509Certificate(certPem).toLegacyObject(),
  at: new Date(),
  distrust: undefined,
};

it("a handshake becomes an exchange that says what was offered and agreed on", () => {
  const reply = handshakeReply(new URL("https://api.example/v1?key=x"), { version: "TLSv1" }, made);
  expect(reply.request).toEqual({ method: "TLS", url: "https://api.example", headers: { version: "TLSv1" } });
  expect(reply.json).toMatchObject({ protocol: "TLSv1", cipher: "AES128-SHA" });
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
