import { createHmac } from "node:crypto";
import { type Api, bearer } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { authentication } from "./authentication.ts";

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const ada = "ada@larkfield.test";
const claims = encoded({ sub: ada });
const weakHead = `${encoded({ alg: "HS256" })}.${claims}`;
const isAccepted = async (api: Api, token: string) =>
  (await api.get("/v2/me")).status === 401 &&
  (await api.get("/v2/me", bearer(`${weakHead}.bad`))).status === 401 &&
  (await api.get("/v2/me", bearer(token))).status === 200;
const signIn = (api: Api, email: string, password: string) =>
  api.send("POST", "/v2/sessions", { body: { email, password } });
const reset = (api: Api, email: string) => api.send("POST", "/v2/password-resets", { body: { email } });

testWeaknesses("authentication", authentication, {
  "The OpenAPI document requires a token, the server does not": async (api) =>
    (await api.get("/v2/appointments")).status === 200,
  "Any bearer token is accepted": async (api) =>
    (await api.get("/v2/invoices")).status === 401 &&
    (await api.get("/v2/invoices", bearer("garbage"))).status === 200,
  "JWTs with `alg: none` are accepted": (api) => isAccepted(api, `${encoded({ alg: "nOnE" })}.${claims}.`),
  "JWTs are signed with a guessable key and never expire": (api) =>
    isAccepted(api, `${weakHead}.${createHmac("sha256", "secret").update(weakHead).digest("base64url")}`),
  "User enumeration: the responses to an unknown e-mail address and a wrong password differ": async (api) =>
    (await signIn(api, ada, "x")).status !== (await signIn(api, "unknown@larkfield.test", "x")).status,
  "Default credentials: the administrator's password is `admin`": async (api) =>
    (await signIn(api, "root@larkfield.test", "admin")).status === 201,
  "User enumeration: the response depends on whether the e-mail address has an account": async (api) =>
    (await reset(api, ada)).status !== (await reset(api, "unknown@larkfield.test")).status,
  "Login attempts are not limited": async (api) => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1)
      statuses.push((await signIn(api, ada, `wrong-${tries}`)).status);
    return !statuses.includes(429);
  },
  "Password resets are not limited": async (api) => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await reset(api, ada)).status);
    return !statuses.includes(429);
  },
  "Session tokens are accepted in the query string, which logs contain": async (api) =>
    (await api.get(`/v2/sessions/current?access_token=${api.demo.accounts[0]!.token}`)).status === 200,
});
