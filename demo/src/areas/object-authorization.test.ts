import type { Api } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { methodAuthorization } from "./method-authorization.ts";
import { objectAuthorization } from "./object-authorization.ts";

const patient = async (api: Api) => api.get(`/v2/patients/${await api.ownId("patients")}`);
const rename = async (api: Api, change: object) =>
  api.send("PATCH", `/v2/patients/${await api.ownId("patients")}`, { body: change });

testWeaknesses("object authorization", objectAuthorization, {
  "The list returns every patient's id without credentials; ids are sequential": async (api) =>
    /"id":1001.*"id":1002/.test((await api.get("/v2/patients")).text),
  "Names, e-mail addresses and social security numbers are listed without credentials": async (api) =>
    (await api.get("/v2/patients")).text.includes("536-90-4399"),
  "Any patient can be read by id without credentials": async (api) =>
    (await patient(api)).status === 200 && (await api.get("/v2/patients/99999999")).status === 404,
  "The response contains `ssn`, which is not in the OpenAPI document": async (api) =>
    (await patient(api)).text.includes('"ssn"'),
  "Any patient can be changed without credentials": async (api) =>
    (await rename(api, { name: "Ada Byron" })).status === 200,
  "Mass assignment: fields that the OpenAPI document declares read-only are stored": async (api) => {
    await rename(api, { name: "Ada Byron", role: "admin" });
    return (await patient(api)).text.includes('"role":"admin"');
  },
  "A document can be read through the path of another patient": async (api) =>
    (await api.get("/v2/patients/1002/documents/1001")).status === 200,
  "Object enumeration: 403 for documents that exist, 404 for others": async (api) =>
    (await api.get("/v2/documents/1001")).status === 403 && (await api.get("/v2/documents/9")).status === 404,
  "The 403 is bypassed by appending `.json` to the id": async (api) =>
    (await api.get("/v2/documents/1001.json")).status === 200,
});

const record = (api: Api, method: string, body: object) => api.send(method, "/v2/records/0", { body });
const reached = async (api: Api, method: string) =>
  (await api.get("/v2/records/0")).status === 401 &&
  [404, 422].includes((await record(api, method, {})).status);

testWeaknesses("method authorization", methodAuthorization, {
  "Reading a record requires a token, replacing it does not": (api) => reached(api, "PUT"),
  "Reading a record requires a token, changing it does not": (api) => reached(api, "PATCH"),
  "Reading a record requires a token, deleting it does not": (api) => reached(api, "DELETE"),
});
