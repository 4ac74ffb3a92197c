import { createHmac } from "node:crypto";
import { type Api, bearer } from "../testing/api.ts";
import { testContrast } from "../testing/contrast.ts";
import { authentication } from "./authentication.ts";

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const ada = "ada@larkfield.test";
const claims = encoded({ sub: ada });
const weakHead = `${encoded({ alg: "HS256" })}.${claims}`;
const believed = async (api: Api, token: string) =>
  (await api.get("/v2/me")).status === 401 &&
  (await api.get("/v2/me", bearer(`${weakHead}.bad`))).status === 401 &&
  (await api.get("/v2/me", bearer(token))).status === 200;
const signIn = (api: Api, email: string, password: string) =>
  api.send("POST", "/v2/sessions", { body: { email, password } });
const reset = (api: Api, email: string) => api.send("POST", "/v2/password-resets", { body: { email } });

testContrast("authentication", authentication, {
  "The document demands a token; the server answers without one": async (api) =>
    (await api.get("/v2/appointments")).status === 200,
  "Any bearer token is accepted, even one that was never issued": async (api) =>
    (await api.get("/v2/invoices")).status === 401 &&
    (await api.get("/v2/invoices", bearer("garbage"))).status === 200,
  "A token with `alg: none` is believed": (api) => believed(api, `${encoded({ alg: "nOnE" })}.${claims}.`),
  "Tokens are signed with a key of every word list, and never end": (api) =>
    believed(api, `${weakHead}.${createHmac("sha256", "secret").update(weakHead).digest("base64url")}`),
  "The answer tells an unknown address from a wrong password": async (api) =>
    (await signIn(api, ada, "x")).status !== (await signIn(api, "nobody@larkfield.test", "x")).status,
  "The administrator's password is `admin`": async (api) =>
    (await signIn(api, "root@larkfield.test", "admin")).status === 201,
  "The answer tells whether an address has an account": async (api) =>
    (await reset(api, ada)).status !== (await reset(api, "nobody@larkfield.test")).status,
  "Passwords may be tried without end": async (api) => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1)
      statuses.push((await signIn(api, ada, `wrong-${tries}`)).status);
    return !statuses.includes(429);
  },
  "Resets may be asked for without end": async (api) => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await reset(api, ada)).status);
    return !statuses.includes(429);
  },
  "A session is accepted in the query, where logs keep it": async (api) =>
    (await api.get(`/v2/sessions/current?access_token=${api.demo.accounts[0]!.token}`)).status === 200,
});
