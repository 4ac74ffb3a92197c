import type { Client, ShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { workflows } from "./workflows.ts";

const idOf = (text: string): string => String((JSON.parse(text) as { id: string | number }).id);
const created = async (caller: Client, path: string, body: object): Promise<string> =>
  `${path}/${idOf((await caller.send("POST", path, { body })).text)}`;
const creditOf = async (caller: Client): Promise<number> => Number(await caller.read("/v2/me", "credit"));

/** What the uses of a new object add to the credit. */
async function creditedBy(
  api: ShopApi,
  list: string,
  use: (caller: Client, path: string) => Promise<unknown>,
): Promise<number> {
  const alice = await api.as("alice");
  const path = await created(alice, list, { title: "Mine" });
  const before = await creditOf(alice);
  await use(alice, path);
  return (await creditOf(alice)) - before;
}

testShop("workflows", workflows, {
  weaknesses: {
    "An order can be shipped before it is paid": async (api) => {
      const alice = await api.as("alice");
      const body = { item: "Desk", quantity: 1, deliverTo: "Home" };
      const path = await created(alice, "/v2/orders", body);
      const early = await alice.send("POST", `${path}/ship`);
      const paid = await created(alice, "/v2/orders", body);
      const statuses = [await alice.send("POST", `${paid}/pay`), await alice.send("POST", `${paid}/ship`)];
      return early.status === 200 && statuses.every(({ status }) => status === 200);
    },
    "A reservation of minus three pieces is stored": async (api) => {
      const alice = await api.as("alice");
      const body = { item: "Chair", pieces: -3, floor: 0 };
      return (await alice.send("POST", "/v2/reservations", { body })).text.includes('"pieces":-3');
    },
    "A voucher is credited each time that it is redeemed": async (api) =>
      (await creditedBy(api, "/v2/vouchers", async (alice, path) => {
        await alice.send("POST", `${path}/redeem`);
        await alice.send("POST", `${path}/redeem`);
      })) === 10,
    "A gift card is credited to each of several claims at the same time": async (api) =>
      (await creditedBy(api, "/v2/gift-cards", (alice, path) =>
        Promise.all([1, 2, 3].map(() => alice.send("POST", `${path}/claim`))),
      )) === 15,
  },
  traps: {
    "`floor` may be negative: it is a basement": async (api) => {
      const body = { item: "Chair", pieces: 1, floor: -1 };
      return (await (await api.as("alice")).send("POST", "/v2/reservations", { body })).status === 201;
    },
    "A second claim of a gift card gets the response to the first, and is not credited": async (api) =>
      (await creditedBy(api, "/v2/gift-cards", async (alice, path) => {
        await alice.send("POST", `${path}/claim`);
        await alice.send("POST", `${path}/claim`);
      })) === 5,
  },
});
