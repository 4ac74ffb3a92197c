import { bearer } from "../../testing/api.ts";
import { credentialsOf } from "../testing/shop-api.ts";
import { testShop } from "../testing/shop-tests.ts";
import { accounts } from "./accounts.ts";

const only = ({ email, password }: { email: string; password: string }) => ({ email, password });

testShop("accounts", accounts, {
  weaknesses: {
    "Mass assignment: `role`, `tenant` and `credit` are stored": async (api) => {
      const bob = await api.as("bob");
      await bob.send("PATCH", "/v2/me", {
        body: { name: "Bob", role: "admin", tenant: "castle", credit: 9_000 },
      });
      const { text } = await bob.get("/v2/me");
      return ['"role":"admin"', '"tenant":"castle"', '"credit":9000'].every((field) => text.includes(field));
    },
    "Mass assignment: a `tenant` in the body is stored, and shows the members of any company": async (
      api,
    ) => {
      const body = { name: "Eve", email: "eve@new.test", password: "a-new-password", tenant: "harbour" };
      await api.anonymous.send("POST", "/v2/registrations", { body });
      const signedIn = await api.anonymous.send("POST", "/v2/sessions", { body: only(body) });
      const { accessToken } = (JSON.parse(signedIn.text) as { data: { session: { accessToken: string } } })
        .data.session;
      return (await api.with(bearer(accessToken)).get("/v2/members")).text.includes("alice");
    },
    "Codes of six digits can be tried without a limit": async (api) => {
      const alice = await api.as("alice");
      const statuses: number[] = [];
      for (let code = 100_000; code < 100_008; code++)
        statuses.push(
          (await alice.send("POST", "/v2/me/phone/verify", { body: { code: String(code) } })).status,
        );
      return statuses.every((status) => status === 403);
    },
    "Access tokens remain valid after the password is changed": async (api) => {
      const stolen = api.with(bearer((await api.tokensOf("alice")).accessToken));
      const body = { current: credentialsOf("alice").password, password: "another-password" };
      const changed = await (await api.as("alice")).send("PUT", "/v2/me/password", { body });
      const isChanged = (await api.tokensOf("alice", body.password)).accessToken !== "";
      return changed.status === 204 && isChanged && (await stolen.get("/v2/me")).status === 200;
    },
  },
  traps: {
    "A `role` in the body is accepted and ignored": async (api) => {
      const body = { name: "Dora", email: "dora@new.test", password: "a-new-password", role: "admin" };
      const registered = await api.anonymous.send("POST", "/v2/registrations", { body });
      const signedIn = await api.anonymous.send("POST", "/v2/sessions", {
        body: { email: body.email, password: body.password },
      });
      const { accessToken } = (JSON.parse(signedIn.text) as { data: { session: { accessToken: string } } })
        .data.session;
      const dora = api.with(bearer(accessToken));
      const preferences = { language: "de", role: "admin" };
      const changed = await dora.send("PUT", "/v2/me/preferences", { body: preferences });
      const statuses = [registered.status, changed.status].join();
      return statuses === "201,200" && (await dora.read("/v2/me", "role")) === "user";
    },
  },
});
