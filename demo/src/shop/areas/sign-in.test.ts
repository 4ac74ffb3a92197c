import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bearer } from "../../testing/api.ts";
import { type ShopApi, startShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { signIn } from "./sign-in.ts";

/** The only proof that needs another clock. */
async function isValidAfterExpiry(variant: "vulnerable" | "hardened"): Promise<boolean> {
  let time = Date.parse("2027-01-12T09:00:00Z");
  const api = await startShopApi(variant, { accessSeconds: 60, now: () => new Date(time) });
  const alice = await api.as("alice");
  const before = (await alice.get("/v2/me")).status;
  time += 61_000;
  const after = (await alice.get("/v2/me")).status;
  await api.close();
  return before === 200 && after === 200;
}

testShop("sign-in", signIn, {
  weaknesses: {
    "Access tokens are accepted after they have expired": ({ variant }) => isValidAfterExpiry(variant),
    "A refresh token can be used twice": async (api) => {
      const body = { refreshToken: (await api.tokensOf("alice")).refreshToken };
      const renew = () => api.anonymous.send("POST", "/v2/sessions/refresh", { body });
      return (await renew()).status === 201 && (await renew()).status === 201;
    },
    "Access tokens remain valid after their user signs out": async (api) => {
      const alice = await api.as("alice");
      const signedOut = await alice.send("DELETE", "/v2/sessions/current");
      return signedOut.status === 204 && (await alice.get("/v2/me")).status === 200;
    },
  },
});

describe("sessions of the hardened shop", () => {
  let api: ShopApi;
  beforeEach(async () => {
    api = await startShopApi("hardened");
  });
  afterEach(() => api.close());

  it("end when a refresh token is used twice, because somebody else has it", async () => {
    const { refreshToken } = await api.tokensOf("alice");
    const renew = () => api.anonymous.send("POST", "/v2/sessions/refresh", { body: { refreshToken } });
    const { text } = await renew();
    const { accessToken } = (JSON.parse(text) as { data: { session: { accessToken: string } } }).data.session;
    const alice = api.with(bearer(accessToken));
    expect((await alice.get("/v2/me")).status).toBe(200);
    await renew();
    expect((await alice.get("/v2/me")).status).toBe(401);
  });

  it("sessions of the hardened shop are refused for a minute after five wrong passwords, for that account only", async () => {
    const attempt = (email: string, password: string) =>
      api.anonymous.send("POST", "/v2/sessions", { body: { email, password } });
    for (let attempts = 0; attempts < 5; attempts += 1)
      expect((await attempt("bob@harbour.test", "wrong")).status).toBe(401);
    expect((await attempt("bob@harbour.test", "wrong")).status).toBe(429);
    expect(await api.tokensOf("alice")).toHaveProperty("accessToken");
  });
});
