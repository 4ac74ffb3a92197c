import { expect, it } from "vitest";
import { ResponseCache } from "./response-cache.ts";
import { offerKey, type Handshake } from "./tls-handshake.ts";

const url = new URL("https://api.example/");
const made = { protocol: "TLSv1.3" } as Handshake;

it("an offer is made once to each origin, and another offer or origin by itself", async () => {
  const handshakes = new ResponseCache<Handshake>();
  let count = 0;
  const make = () => Promise.resolve({ ...made, cipher: String(++count) });
  const ciphers = async (to: URL, offer: object) => (await handshakes.get(offerKey(to, offer), make)).cipher;
  expect(await ciphers(url, {})).toBe("1");
  expect(await ciphers(new URL("https://api.example/other"), {})).toBe("1");
  expect(await ciphers(url, { version: "TLSv1.2" })).toBe("2");
  expect(await ciphers(new URL("https://elsewhere.example/"), {})).toBe("3");
});

it("an offer that failed is made again", async () => {
  const handshakes = new ResponseCache<Handshake>();
  await expect(handshakes.get(offerKey(url, {}), () => Promise.reject(new Error("cut")))).rejects.toThrow(
    "cut",
  );
  await expect(handshakes.get(offerKey(url, {}), () => Promise.resolve(made))).resolves.toBe(made);
});
