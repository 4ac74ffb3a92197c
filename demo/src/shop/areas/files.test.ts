import { testShop } from "../testing/shop-tests.ts";
import { files } from "./files.ts";

testShop("files and exports", files, {
  weaknesses: {
    "A document is limited to its owner, the file in it is not": async (api) => {
      const path = `/v2/documents/${await (await api.as("alice")).idIn("/v2/documents")}`;
      const bob = await api.as("bob");
      return (
        (await bob.get(path)).status === 404 && (await bob.get(`${path}/file`)).text.includes("alice scored")
      );
    },
    "`userId` exports the orders of any user": async (api) => {
      const userId = String(await (await api.as("alice")).read("/v2/me", "id"));
      return (await (await api.as("bob")).get(`/v2/exports/orders?userId=${userId}`)).text.includes(
        "Quay Street",
      );
    },
  },
});
