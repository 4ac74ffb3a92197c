import type { Api } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { propertyAuthorization } from "./property-authorization.ts";

const doctorId = async (api: Api) => {
  const { doctors } = JSON.parse((await api.get("/v2/doctors")).text) as { doctors: { id: string }[] };
  return doctors[0]!.id;
};
const order = async (api: Api, sort: string) => (await api.get(`/v2/branches?sort=${sort}`)).text;

testWeaknesses("property authorization", propertyAuthorization, {
  "The response contains `passwordHash`, `ssn` and `apiToken`, which are not in the OpenAPI document": async (
    api,
  ) => /"passwordHash".*"ssn".*"apiToken"/.test((await api.get("/v2/doctors")).text),
  "Password hashes and tokens are listed without credentials": async (api) =>
    (await api.get("/v2/doctors")).text.includes("$2b$10$"),
  "`?fields=*`, `?expand=` and `?include=` return fields that are hidden by default": async (api) => {
    const path = `/v2/doctors/${await doctorId(api)}`;
    const plain = await api.get(path);
    const responses = await Promise.all(
      ["fields=*", "expand=ssn", "include=ssn"].map((query) => api.get(`${path}?${query}`)),
    );
    return !plain.text.includes("ssn") && responses.every(({ text }) => text.includes('"ssn"'));
  },
  "`?sort=passwordHash` sorts by a hidden field, which reveals its order": async (api) => {
    const [hidden, random] = await Promise.all([order(api, "passwordHash"), order(api, "qzxvwk")]);
    return (
      hidden.includes('"city"') &&
      random.includes('"city"') &&
      hidden !== random &&
      !hidden.includes("passwordHash")
    );
  },
  "Fields that the OpenAPI document forbids are accepted and returned": async (api) =>
    (await api.send("POST", "/v2/feedback", { body: { message: "Hello", approved: true } })).status === 201,
});
