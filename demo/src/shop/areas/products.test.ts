import { testShop } from "../testing/shop-tests.ts";
import { products } from "./products.ts";

testShop("products", products, {
  weaknesses: {
    "SQL injection in `category`": async (api) => {
      const alice = await api.as("alice");
      const injected = "x' UNION SELECT 1, code, 'x', amount, 0, '' FROM gift_cards --";
      return (await alice.get(`/v2/products?category=${encodeURIComponent(injected)}`)).text.includes(
        "GC-7Q2M",
      );
    },
    "Users get `purchase_price` and `supplier`, which the list shows to administrators only": async (api) => {
      const [alice, admin] = await Promise.all([api.as("alice"), api.as("admin")]);
      const lists = await Promise.all([alice, admin].map((caller) => caller.get("/v2/products")));
      const areListsRight = lists.map(({ text }) => text.includes("purchase_price")).join() === "false,true";
      return areListsRight && (await alice.get("/v2/products/301")).text.includes("purchase_price");
    },
  },
});
