import type { Exchange } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { comparisonOf, requestText, responseText } from "./exchange-text.ts";

const exchange = (role: Exchange["role"], url = "https://api.test/a"): Exchange => ({
  role,
  request: { method: "POST", url, headers: { accept: "*/*" }, body: "{}" },
  response: { status: 200, headers: { server: "nginx" }, body: "ok" },
});

describe("an exchange", () => {
  test("an exchange is a request and a response as on the wire", () => {
    expect(requestText(exchange("attack"))).toBe("POST https://api.test/a\naccept: */*\n\n{}");
    expect(responseText(exchange("attack"))).toBe("HTTP 200\nserver: nginx\n\nok");
  });

  test("an exchange without an HTTP response says so", () => {
    const silent = { ...exchange("attack"), response: { status: 0, headers: {}, body: "" } };
    expect(responseText(silent)).toBe("(no HTTP response)");
  });
});

describe("the attack is compared with", () => {
  const roles = (...all: Exchange["role"][]) =>
    all.map((role, index) => exchange(role, `https://api.test/${index}`));
  test.each<[string, Exchange["role"][], string | undefined]>([
    ["the control just before it", ["baseline", "control", "attack", "repeat"], "https://api.test/1"],
    [
      "the control after it, where there is none before",
      ["attack", "control", "control"],
      "https://api.test/1",
    ],
    ["nothing, where it has no control", ["attack", "repeat"], undefined],
  ])("%s", (_, given, url) => expect(comparisonOf(roles(...given))?.control?.request.url).toBe(url));

  test("nothing, where there is no attack", () => {
    expect(comparisonOf(roles("baseline", "control"))).toBeUndefined();
  });
});
