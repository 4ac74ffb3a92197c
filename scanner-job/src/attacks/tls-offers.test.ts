import { describe, expect, it } from "vitest";
import { NetworkError, toNetworkError } from "../transport/network-error.ts";
import { refusalOrInability } from "./tls-offers.ts";

const failedWith = (code: string): NetworkError => toNetworkError(Object.assign(new Error("tls"), { code }));

describe("refusalOrInability", () => {
  it.each([
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
    "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE",
    "ERR_SSL_UNSUPPORTED_PROTOCOL",
  ])("takes %s for the server's refusal", (code) =>
    expect(refusalOrInability(failedWith(code))).toBe("refused"),
  );

  it.each(["ERR_SSL_NO_CIPHER_MATCH", "ERR_SSL_NO_CIPHERS_AVAILABLE", "ERR_SSL_NO_PROTOCOLS_AVAILABLE"])(
    "takes %s for what this client cannot offer",
    (code) => expect(refusalOrInability(failedWith(code))).toBe("untestable"),
  );

  it("treats a closed connection as the server's refusal", () => {
    expect(refusalOrInability(new NetworkError("tls", "closed"))).toBe("refused");
  });
});
