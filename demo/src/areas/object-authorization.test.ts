import type { Api } from "../testing/api.ts";
import { testContrast } from "../testing/contrast.ts";
import { methodAuthorization } from "./method-authorization.ts";
import { objectAuthorization } from "./object-authorization.ts";

const patient = async (api: Api) => api.get(`/v2/patients/${await api.ownId("patients")}`);
const rename = async (api: Api, change: object) =>
  api.send("PATCH", `/v2/patients/${await api.ownId("patients")}`, { body: change });

testContrast("object authorization", objectAuthorization, {
  "The list gives every patient's id to anybody; ids are numbered": async (api) =>
    /"id":1001.*"id":1002/.test((await api.get("/v2/patients")).text),
  "Names, e-mail addresses and social security numbers are listed to anybody": async (api) =>
    (await api.get("/v2/patients")).text.includes("536-90-4399"),
  "Any patient is read by its id without credentials": async (api) =>
    (await patient(api)).status === 200 && (await api.get("/v2/patients/99999999")).status === 404,
  "The answer has `ssn`, which the document does not name": async (api) =>
    (await patient(api)).text.includes('"ssn"'),
  "Anybody changes any patient": async (api) => (await rename(api, { name: "Ada Byron" })).status === 200,
  "Fields that the document calls read-only are kept as sent (mass assignment)": async (api) => {
    await rename(api, { name: "Ada Byron", role: "admin" });
    return (await patient(api)).text.includes('"role":"admin"');
  },
  "A document is read under any patient, whoever it belongs to": async (api) =>
    (await api.get("/v2/patients/1002/documents/1001")).status === 200,
  "403 for a document that exists and 404 for others tells which exist": async (api) =>
    (await api.get("/v2/documents/1001")).status === 403 && (await api.get("/v2/documents/9")).status === 404,
  "The same document is given when its id is written with `.json`": async (api) =>
    (await api.get("/v2/documents/1001.json")).status === 200,
});

const record = (api: Api, method: string, body: object) => api.send(method, "/v2/records/0", { body });
const reached = async (api: Api, method: string) =>
  (await api.get("/v2/records/0")).status === 401 &&
  [404, 422].includes((await record(api, method, {})).status);

testContrast("method authorization", methodAuthorization, {
  "Reading a record needs a token; replacing it does not": (api) => reached(api, "PUT"),
  "Reading a record needs a token; changing it does not": (api) => reached(api, "PATCH"),
  "Reading a record needs a token; deleting it does not": (api) => reached(api, "DELETE"),
});
