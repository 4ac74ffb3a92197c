import { testShop } from "../testing/shop-tests.ts";
import { people } from "./people.ts";

testShop("people", people, {
  weaknesses: {
    "Users get the `salary` and `bankAccount` of a colleague, which the list shows to administrators only":
      async (api) => {
        const path = `/v2/members/${String(await (await api.as("alice")).read("/v2/me", "id"))}`;
        const [bob, admin] = await Promise.all([api.as("bob"), api.as("admin")]);
        const lists = await Promise.all([bob, admin].map((caller) => caller.get("/v2/members")));
        const areListsRight = lists.map(({ text }) => text.includes("salary")).join() === "false,true";
        return areListsRight && (await bob.get(path)).text.includes("salary");
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
