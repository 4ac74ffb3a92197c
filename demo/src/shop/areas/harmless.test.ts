import type { ShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { harmless } from "./harmless.ts";

const bodies = async (api: ShopApi, path: string) => {
  const [alice, bob] = await Promise.all([api.as("alice"), api.as("bob")]);
  return [(await alice.get(path)).text, (await bob.get(path)).text] as const;
};
const idOfAlice = async (api: ShopApi) => String(await (await api.as("alice")).read("/v2/me", "id"));

testShop("what is harmless", harmless, {
  traps: {
    "The dashboard of each user differs, and changes with each request": async (api) => {
      const alice = await api.as("alice");
      const [first, again] = [await alice.get("/v2/dashboard"), await alice.get("/v2/dashboard")];
      const bob = await (await api.as("bob")).get("/v2/dashboard");
      return first.text !== again.text && first.text.includes("alice") && !bob.text.includes("alice");
    },
    "The id is ignored: all users read their own summary": async (api) => {
      const { text } = await (await api.as("bob")).get(`/v2/accounts/${await idOfAlice(api)}/summary`);
      return text.includes("bob@harbour.test") && !text.includes("alice");
    },
    "`userId` is ignored: users list their own returns": async (api) => {
      const { text } = await (await api.as("bob")).get(`/v2/returns?userId=${await idOfAlice(api)}`);
      return text.includes("bob: wrong colour") && !text.includes("alice");
    },
    "A parcel of somebody else is a soft 404: status 200 and `found: false`, as for a number that does not exist":
      async (api) => {
        const order = await (await api.as("alice")).idIn("/v2/orders");
        const [[own, others], [none]] = await Promise.all([
          bodies(api, `/v2/parcels/${order}`),
          bodies(api, "/v2/parcels/9"),
        ]);
        return own.includes("shipped") && others === '{"found":false}' && none === others;
      },
    "All users get the same news from a shared cache": async (api) => {
      const [hers, his] = await bodies(api, "/v2/news");
      const alice = await api.as("alice");
      return hers === his && (await alice.get("/v2/news", { "if-none-match": '"news-7"' })).status === 304;
    },
    "A cache with an entry for each user reports hits": async (api) => {
      const { headers } = await (await api.as("carol")).get("/v2/recommendations");
      return headers["x-cache"] === "HIT" && headers.vary === "Authorization, Cookie";
    },
    "Reference data is the same for all users": async (api) => {
      const [hers, his] = await bodies(api, "/v2/currencies");
      return hers === his && hers.includes("GBP");
    },
  },
});
