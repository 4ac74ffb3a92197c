import { testShop } from "../testing/shop-tests.ts";
import { people } from "./people.ts";

testShop("people", people, {
  weaknesses: {
    "Users get the `salary` and `bankAccount` of colleagues, which are for administrators": async (api) => {
      const path = `/v2/members/${String(await (await api.as("alice")).read("/v2/me", "id"))}`;
      const [bob, carol] = await Promise.all([api.as("bob"), api.as("carol")]);
      return (await bob.get(path)).text.includes("salary") && (await carol.get(path)).status === 404;
    },
  },
  traps: {
    "Colleagues see each other, and other companies do not see them": async (api) => {
      const [bob, carol] = await Promise.all(
        (["bob", "carol"] as const).map(async (name) => (await (await api.as(name)).get("/v2/members")).text),
      );
      return bob!.includes("alice") && !carol!.includes("alice");
    },
    "Profiles are public": async (api) => {
      const id = String(await (await api.as("alice")).read("/v2/me", "id"));
      return (await api.anonymous.get(`/v2/profiles/${id}`)).text === JSON.stringify({ id, name: "alice" });
    },
  },
});
