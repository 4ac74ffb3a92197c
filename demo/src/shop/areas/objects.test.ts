import { type Client, type ShopApi } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { objects } from "./objects.ts";

const MARKUP = { title: "Note", text: "<b>bold</b>" };
const ORDER = { item: "Desk", quantity: 1, deliverTo: "Elsewhere 1" };

/** Bob, and an object of alice. */
const bobAnd = async (api: ShopApi, list: string): Promise<[bob: Client, path: string, alice: Client]> => {
  const [alice, bob] = await Promise.all([api.as("alice"), api.as("bob")]);
  return [bob, `${list}/${await alice.idIn(list)}`, alice];
};

testShop("objects of users", objects, {
  weaknesses: {
    "Any order can be read by its number": async (api) => {
      const [bob, path] = await bobAnd(api, "/v2/orders");
      return (
        (await bob.get(path)).text.includes("Quay Street") && (await bob.get("/v2/orders/9")).status === 404
      );
    },
    "Any order can be changed, and so delivered elsewhere": async (api) => {
      const [bob, path, alice] = await bobAnd(api, "/v2/orders");
      await bob.send("PATCH", path, { body: ORDER });
      return (await alice.get(path)).text.includes("Elsewhere 1");
    },
    "Stored cross-site scripting: the printed note does not escape its text": async (api) => {
      const alice = await api.as("alice");
      await alice.send("POST", "/v2/notes", { body: MARKUP });
      const notes = (await alice.read("/v2/notes", "notes")) as { id: string }[];
      const page = await alice.get(`/v2/notes/${notes.at(-1)!.id}/print`);
      return page.text.includes("<b>bold</b>") && page.headers["content-type"] === "text/html; charset=utf-8";
    },
    "Reading a note is limited to its owner, deleting it is not": async (api) => {
      const [bob, path, alice] = await bobAnd(api, "/v2/notes");
      const read = await bob.get(path);
      await bob.send("DELETE", path);
      return read.status === 404 && (await alice.get(path)).status === 404;
    },
    "A list that is shared for reading can be changed by those who read it": async (api) => {
      const [bob, path, alice] = await bobAnd(api, "/v2/lists");
      const carol = await api.as("carol");
      await carol.send("PATCH", path, { body: { title: "By carol", items: [] } });
      const before = await alice.get(path);
      await bob.send("PATCH", path, { body: { title: "By bob", items: [] } });
      return !before.text.includes("By carol") && (await alice.get(path)).text.includes("By bob");
    },
  },
  traps: {
    "Markup in a note is returned as it is, as JSON": async (api) => {
      const { text, headers } = await (await api.as("alice")).send("POST", "/v2/notes", { body: MARKUP });
      return text.includes("<b>bold</b>") && headers["content-type"] === "application/json";
    },
    "The lists of a user include those that others share with them": async (api) =>
      (await (await api.as("bob")).get("/v2/lists")).text.includes("Wish list of alice"),
    "A list that its owner shares is read by somebody else": async (api) => {
      const [bob, path] = await bobAnd(api, "/v2/lists");
      return (await bob.get(path)).status === 200 && (await (await api.as("carol")).get(path)).status === 404;
    },
    "Colleagues see the same projects": async (api) =>
      (await (await api.as("bob")).get("/v2/projects")).text.includes("Office of harbour: alice"),
    "A project of a team is read by a member who did not create it": async (api) => {
      const [bob, path] = await bobAnd(api, "/v2/projects");
      return (await bob.get(path)).status === 200 && (await (await api.as("carol")).get(path)).status === 404;
    },
  },
});
