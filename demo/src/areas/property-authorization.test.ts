import type { Api } from "../testing/api.ts";
import { testContrast } from "../testing/contrast.ts";
import { propertyAuthorization } from "./property-authorization.ts";

const doctorId = async (api: Api) => {
  const { doctors } = JSON.parse((await api.get("/v2/doctors")).text) as { doctors: { id: string }[] };
  return doctors[0]!.id;
};
const order = async (api: Api, sort: string) => (await api.get(`/v2/branches?sort=${sort}`)).text;

testContrast("property authorization", propertyAuthorization, {
  "`passwordHash`, `ssn` and `apiToken` are shown, which the document does not name": async (api) =>
    /"passwordHash".*"ssn".*"apiToken"/.test((await api.get("/v2/doctors")).text),
  "Password hashes and tokens are listed to anybody": async (api) =>
    (await api.get("/v2/doctors")).text.includes("$2b$10$"),
  "`?fields=*`, `?expand=` and `?include=` add fields that stay hidden otherwise": async (api) => {
    const path = `/v2/doctors/${await doctorId(api)}`;
    const plain = await api.get(path);
    const asked = await Promise.all(
      ["fields=*", "expand=ssn", "include=ssn"].map((query) => api.get(`${path}?${query}`)),
    );
    return !plain.text.includes("ssn") && asked.every(({ text }) => text.includes('"ssn"'));
  },
  "`?sort=passwordHash` orders by a field that is not shown, and so tells it": async (api) => {
    const [hidden, random] = await Promise.all([order(api, "passwordHash"), order(api, "qzxvwk")]);
    return (
      hidden.includes('"city"') &&
      random.includes('"city"') &&
      hidden !== random &&
      !hidden.includes("passwordHash")
    );
  },
  "Fields that the document forbids are accepted and given back": async (api) =>
    (await api.send("POST", "/v2/feedback", { body: { message: "Hello", approved: true } })).status === 201,
});
