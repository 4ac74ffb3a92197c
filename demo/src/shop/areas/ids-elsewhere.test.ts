import { testShop } from "../testing/shop-tests.ts";
import { idsElsewhere } from "./ids-elsewhere.ts";

testShop("ids outside the path", idsElsewhere, {
  weaknesses: {
    "`orderId` in the query selects the receipt of any order": async (api) => {
      const orderId = await (await api.as("alice")).idIn("/v2/orders");
      return (await (await api.as("bob")).get(`/v2/receipts?orderId=${orderId}`)).text.includes(
        "Quay Street",
      );
    },
    "`orderId` in the body selects the delivery of any order": async (api) => {
      const body = { orderId: Number(await (await api.as("alice")).idIn("/v2/orders")) };
      const bob = await api.as("bob");
      return (await bob.send("POST", "/v2/deliveries/track", { body })).text.includes("Quay Street");
    },
    "The `X-Basket-Id` header selects the basket of any user": async (api) => {
      const id = String(await (await api.as("alice")).read("/v2/basket", "id"));
      return (await (await api.as("bob")).get("/v2/basket", { "x-basket-id": id })).text.includes(
        "GIFT-alice",
      );
    },
  },
});
