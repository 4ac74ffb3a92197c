import { expect, it } from "vitest";
import { type ShopApi, startShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { desk } from "./desk.ts";

const bobAndMessage = async (api: ShopApi) => {
  const [alice, bob] = await Promise.all([api.atDesk("alice"), api.atDesk("bob")]);
  return { alice, bob, path: `/desk/messages/${await alice.idIn("/desk/messages")}` };
};

testShop("the desk", desk, {
  weaknesses: {
    "Any message to the desk can be read by its id": async (api) => {
      const { bob, path } = await bobAndMessage(api);
      return (await bob.get(path)).text.includes("Dear alice");
    },
    "Any message to the desk can be deleted by its id": async (api) => {
      const { alice, bob, path } = await bobAndMessage(api);
      await bob.send("DELETE", path);
      return (await alice.get(path)).status === 404;
    },
  },
  traps: {
    "The cookie is invalid after its user signs out": async (api) => {
      const alice = await api.atDesk("alice");
      const before = (await alice.get("/desk/me")).status;
      await alice.send("POST", "/desk/sign-out");
      return before === 200 && (await alice.get("/desk/me")).status === 401;
    },
  },
});

it.each(["vulnerable", "hardened"] as const)(
  "the %s desk refuses a write that does not repeat the CSRF token",
  async (variant) => {
    const api = await startShopApi(variant);
    const alice = await api.atDesk("alice");
    const body = { subject: "A question", text: "Where is my lamp?" };
    const write = (headers: Record<string, string>) =>
      alice.send("POST", "/desk/messages", { body, headers });
    expect((await write({ "x-csrf-token": "other" })).status).toBe(403);
    expect((await write({})).status).toBe(201);
    await api.close();
  },
);
