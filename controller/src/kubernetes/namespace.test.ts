import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { mayBeTarget, namespaceReader } from "./namespace.ts";

/** A reader of a namespace that has these annotations, and how often it has asked. */
function reading(annotations: Record<string, string>) {
  const state = { annotations, now: 0, asked: [] as string[] };
  const transport = async ({ path }: { path: string }) => {
    state.asked.push(path);
    const object = { metadata: { uid: "u", labels: { team: "shop" }, annotations: state.annotations } };
    return Readable.from([Buffer.from(JSON.stringify(object))]);
  };
  return { state, ...namespaceReader({ transport, monotonic: () => state.now }) };
}

test.each<[string, Record<string, string>, string | undefined, string[]]>([
  ["names none", {}, undefined, []],
  ["names one", { "glovebox.dev/account": "shop" }, "shop", ["shop"]],
  ["lists several", { "glovebox.dev/accounts": "shop, team a ,pay" }, undefined, ["shop", "team a", "pay"]],
  ["does both", { "glovebox.dev/account": "shop", "glovebox.dev/accounts": "pay" }, "shop", ["pay", "shop"]],
  ["lists nothing", { "glovebox.dev/account": "", "glovebox.dev/accounts": " ,," }, undefined, []],
])("a namespace that %s may use those accounts and no others", async (_, annotations, account, accounts) => {
  const facts = await reading(annotations).read("scans");
  expect(facts).toMatchObject({ uid: "u", labels: { team: "shop" } });
  expect([facts.account, [...facts.accounts]]).toEqual([account, accounts]);
});

test("each namespace is read once in half a minute, and whenever it must be fresh", async () => {
  const { state, read } = reading({});
  await read("a");
  await read("a");
  await read("b");
  expect(state.asked).toEqual(["/api/v1/namespaces/a", "/api/v1/namespaces/b"]);
  state.annotations = { "glovebox.dev/account": "shop" };
  expect((await read("a")).account).toBeUndefined();
  expect((await read("a", "fresh")).account).toBe("shop");
  expect((await read("a")).account).toBe("shop");
  state.now = 30_000;
  await read("b");
  expect(state.asked).toHaveLength(4);
});

test.each<[string | undefined, string, boolean]>([
  [undefined, "anything.example", true],
  ["", "api.shop.example", false],
  ["api.shop.example", "api.shop.example", true],
  ["api.shop.example", "shop.example", false],
  ["API.Shop.example", "api.shop.example", true],
  ["*.shop.example, pay.example", "v2.api.shop.example", true],
  ["*.shop.example", "shop.example", false],
  ["*.shop.example", "evilshop.example", false],
  ["*.shop.example, pay.example", "pay.example", true],
  ["10.0.0.7", "10.0.0.7", true],
])("a namespace whose targets are %j may have %s scanned: %s", async (targets, host, expected) => {
  const annotations = targets === undefined ? {} : { "glovebox.dev/targets": targets };
  expect(mayBeTarget(host, await reading(annotations).read("scans"))).toBe(expected);
});

test("a namespace permits its Scans the Secrets that it lists, and none without the annotation", async () => {
  const facts = await reading({ "glovebox.dev/identities": "shop-users, pay-users ," }).read("team-a");
  expect([...facts.identities]).toEqual(["shop-users", "pay-users"]);
  expect([...(await reading({}).read("team-a")).identities]).toEqual([]);
});
