import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { ANN, BEN, callerIn, signedIn } from "../../testing/callers.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import personalDataAsUser from "./personal-data-as-user.ts";

const document = apiDocument({ "/riders": { get: {} } }, BEARER);
const identities = [ANN, BEN];
const tenants = [
  { ...ANN, tenant: "north" },
  { ...BEN, tenant: "south" },
];
const riders = ["Mara Lind", "Tom Ferro", "Ida Roth"].map((fullName, at) => ({
  fullName,
  email: `rider${at}@larkfield.test`,
  dateOfBirth: `199${at}-03-0${at + 1}`,
}));
const contacts = riders.map(({ fullName, email }) => ({ fullName, email }));

testCheck(personalDataAsUser, {
  positive: [
    {
      name: "a list of persons with their dates of birth that two users get",
      document,
      identities,
      target: fakeApi({ "GET /riders": signedIn({ json: riders }) }),
      finding: { severity: "high", confidence: "firm", location: { method: "GET", path: "/riders" } },
      count: 1,
    },
    {
      name: "contact details that users of two tenants get",
      document,
      identities: tenants,
      target: fakeApi({ "GET /riders": signedIn({ json: contacts }) }),
      finding: { severity: "medium" },
    },
  ],
  negative: [
    {
      name: "colleagues who may reach each other",
      document,
      identities,
      target: fakeApi({ "GET /riders": signedIn({ json: contacts }) }),
    },
    {
      name: "lists of each user's own riders",
      document,
      identities,
      target: fakeApi({
        "GET /riders": signedIn((incoming) => ({
          json: callerIn(incoming) === "ann" ? riders.slice(0, 2) : riders.slice(1),
        })),
      }),
    },
    {
      name: "several accounts of one person",
      document,
      identities,
      target: fakeApi({
        "GET /riders": signedIn({
          json: ["GB33BUKB20201555555555", "DE75512108001245126199"].map((iban) => ({ iban, owner: "Ann" })),
        }),
      }),
    },
  ],
  inconclusive: [
    {
      name: "a scan with one user, whose own list it may be",
      document,
      identities: [ANN],
      target: fakeApi({ "GET /riders": signedIn({ json: riders }) }),
    },
    {
      name: "a list that is open to everybody, which another check reports",
      document,
      identities,
      target: fakeApi({ "GET /riders": { json: riders } }),
    },
  ],
});
