import { apiDocument } from "../../testing/api-document.ts";
import { ANN, signedIn } from "../../testing/callers.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import privateRecords from "./private-records.ts";

const document = apiDocument({ "/notes": { get: {} } });
const listing = (...notes: object[]) => fakeApi({ "GET /notes": { json: { notes } } });
const open = { id: 1, text: "Opening hours", public: true };

testCheck(privateRecords, {
  positive: [
    {
      name: "a list with a record that is not public",
      document,
      target: listing(open, { id: 2, text: "The code of the safe", public: false }),
      finding: { severity: "medium", location: { method: "GET", path: "/notes" } },
      count: 1,
    },
    {
      name: "a list with records of private visibility",
      document,
      target: listing({ id: 2, text: "The code of the safe", visibility: "private" }),
    },
  ],
  negative: [
    {
      name: "a list of public records",
      document,
      target: listing(open, { id: 2, text: "News", private: false }),
    },
    {
      name: "settings that are not a list",
      document,
      target: fakeApi({ "GET /notes": { json: { public: false, name: "notes" } } }),
    },
    {
      name: "private records of a caller who is signed in",
      document,
      identities: [ANN],
      target: fakeApi({
        "GET /notes": signedIn({ json: [{ id: 2, text: "The code of the safe", private: true }] }),
      }),
    },
    { name: "a mark without anything else", document, target: listing({ id: 2, private: true }) },
  ],
  inconclusive: [{ name: "a list that throttles", document, target: fakeApi({ "GET *": { status: 429 } }) }],
});
