import { testShop } from "../testing/shop-tests.ts";
import { children } from "./children.ts";

testShop("children and lists", children, {
  weaknesses: {
    "`userId` lists the invoices of any user": async (api) => {
      const userId = String(await (await api.as("alice")).read("/v2/me", "id"));
      const bob = await api.as("bob");
      const own = await bob.get("/v2/invoices");
      const others = await bob.get(`/v2/invoices?userId=${userId}`);
      return !own.text.includes('"payer":"alice"') && others.text.includes('"payer":"alice"');
    },
    "A line of any invoice can be read through an invoice of one's own": async (api) => {
      const [alice, bob] = await Promise.all([api.as("alice"), api.as("bob")]);
      const [hers, his] = await Promise.all([alice.idIn("/v2/invoices"), bob.idIn("/v2/invoices")]);
      const throughHers = await bob.get(`/v2/invoices/${hers}/lines/${hers}1`);
      const throughHis = await bob.get(`/v2/invoices/${his}/lines/${hers}1`);
      return throughHers.status === 404 && throughHis.text.includes("alice");
    },
    "A project is limited to its members, its comments are not": async (api) => {
      const id = await (await api.as("alice")).idIn("/v2/projects");
      const carol = await api.as("carol");
      const [project, comments] = await Promise.all(
        ["", "/comments"].map((child) => carol.get(`/v2/projects/${id}${child}`)),
      );
      return project!.status === 404 && comments!.text.includes("Decided");
    },
  },
  traps: {
    "The administrator reads the invoices of all users": async (api) => {
      const path = `/v2/invoices/${await (await api.as("alice")).idIn("/v2/invoices")}`;
      const [bob, admin] = await Promise.all([api.as("bob"), api.as("admin")]);
      return (await bob.get(path)).status === 404 && (await admin.get(path)).status === 200;
    },
  },
});
