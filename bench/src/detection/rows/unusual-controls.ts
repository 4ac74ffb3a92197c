import type { FakeResponse } from "../../../../scanner-job/src/testing/fake-api.ts";
import {
  byBody,
  byPath,
  byQuery,
  notFound,
  open,
  reading,
  secured,
  taking,
  unauthorized,
  type Row,
} from "../row.ts";
import { graphql } from "./graphql.ts";
import { hostRow } from "./hosts.ts";

const carrels = [
  { id: 7, floor: 2 },
  { id: 8, floor: 3 },
];
const parcels = [
  { id: 1, reference: "prc-77815", recipient: "Ada King" },
  { id: 2, reference: "prc-90412", recipient: "Grace Hopper" },
];
const parcelList: FakeResponse = { json: parcels.map(({ id, reference }) => ({ id, reference })) };
const fault: FakeResponse = { status: 500, json: { error: "Internal Server Error" } };
const stripe: FakeResponse = { status: 500, json: { error: { type: "StripeInvalidRequestError" } } };
const wholeOperation = "the same read, of the operation as a whole";

/** Weaknesses whose control request gets an unusual response, though it is evident. */
export const unusualControlRows: readonly Row[] = [
  {
    checks: ["bola-authorization/anonymous-object-read"], // an id that cannot exist is a fault
    at: "GET /carrels/{carrelId}",
    document: {
      "/carrels": { get: open },
      "/carrels/{carrelId}": {
        get: secured(),
      },
    },
    weak: {
      "GET /carrels": { json: carrels.map(({ id }) => ({ id })) },
      "GET /carrels/{carrelId}": byPath((id) => {
        const carrel = carrels.find((each) => String(each.id) === id);
        return carrel ? { json: carrel } : fault;
      }),
    },
    safe: {
      "GET /carrels": { json: carrels.map(({ id }) => ({ id })) },
      "GET /carrels/{carrelId}": unauthorized,
    },
    alsoTrue: {
      "authentication/declared-but-not-enforced": wholeOperation,
      "input-validation/type-violation-5xx": "what is not an id is also a fault",
    },
  },
  {
    checks: ["bola-authorization/anonymous-object-read"], // the list calls the id otherwise than the path
    at: "GET /parcels/{parcelId}",
    document: {
      "/parcels": { get: open },
      "/parcels/{parcelId}": {
        parameters: [{ name: "parcelId", in: "path", required: true, schema: { type: "string" } }],
        get: secured(),
      },
    },
    weak: {
      "GET /parcels": parcelList,
      "GET /parcels/{parcelId}": byPath((id) => {
        const parcel = parcels.find(({ reference }) => reference === id);
        return parcel ? { json: parcel } : notFound;
      }),
    },
    safe: { "GET /parcels": parcelList, "GET /parcels/{parcelId}": unauthorized },
    alsoTrue: { "authentication/declared-but-not-enforced": wholeOperation },
  },
  {
    checks: ["bola-authorization/anonymous-object-read"], // no response mentions an id
    at: "GET /folios/{folioId}",
    document: { "/folios/{folioId}": { get: secured() } },
    weak: {
      "GET /folios/{folioId}": byPath((id) =>
        Number(id) > 0 && Number(id) < 40 ? { json: { folio: id, bearer: `b-${id}-7` } } : notFound,
      ),
    },
    safe: { "GET /folios/{folioId}": unauthorized },
    alsoTrue: {
      "authentication/declared-but-not-enforced": wholeOperation,
      "bola-authorization/altered-id-read": wholeOperation,
    },
  },
  {
    checks: ["unsafe-consumption/upstream-error-forwarded"], // of every request
    at: "GET /tariffs",
    document: { "/tariffs": reading("zone", { required: true, example: "north" }) },
    weak: { "GET /tariffs": byQuery("zone", () => stripe) },
    safe: { "GET /tariffs": byQuery("zone", () => fault) },
  },
  hostRow({
    checks: ["inventory-management/graphql-introspection"], // at a path that only routes POST
    at: "POST /api/graphql",
    weak: { "POST /api/graphql": graphql(true) },
    safe: { "POST /api/graphql": graphql(false) },
    alsoTrue: Object.fromEntries(
      [
        "rate-limiting/graphql-cost",
        "inventory-management/graphql-suggestions",
        "bfla-authorization/unguarded-mutation",
        "bola-authorization/graphql-anonymous-data",
        "bola-authorization/private-records",
        "authentication/missing-authentication",
      ].map((check) => [check, "the same endpoint"]),
    ),
  }),
  hostRow({
    checks: ["llm-security/anonymous-inference"], // takes any value for a prompt
    at: "POST /assistant/ask",
    // The rest of the API refuses anonymous callers: what is open is the assistant alone.
    document: {
      "/assistant/ask": { post: taking("question") },
      "/assistant/history": { get: secured() },
    },
    weak: {
      "GET /assistant/history": unauthorized,
      "POST /assistant/ask": byBody(({ question }) => ({
        json: { answer: /word: (\w+)/.exec(String(question))?.[1] ?? "I do not know." },
      })),
    },
    safe: {
      "GET /assistant/history": unauthorized,
      "POST /assistant/ask": byBody(() => ({ json: { answer: "Thank you, we will write back." } })),
    },
  }),
];
