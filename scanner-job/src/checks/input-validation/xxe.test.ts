import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { TEA_SERVICE } from "../../testing/tea-service.ts";
import { testCheck } from "../../testing/test-check.ts";
import xxe from "./xxe.ts";

const taking = (path: string, content: object) =>
  apiDocument({ [path]: { post: { requestBody: { content }, responses: {} } } });
const picture = taking("/metadata/parse", {
  "text/plain": { schema: { type: "string" }, example: "<svg><path/></svg>" },
});
const search = taking("/teas/search", {
  "application/json": { schema: { type: "object", properties: { term: { type: "string" } } } },
});

/** What a parser makes of the entities that a document declares. */
const parsed = (document: string): string => {
  const entities = new Map(
    [...document.matchAll(/<!ENTITY (\w+) "(\w+)">/g)].map(([, name, text]) => [name!, text!]),
  );
  return document
    .replace(/<!DOCTYPE.*?\]>/, "")
    .replace(/&(\w+);/g, (whole, name: string) => entities.get(name) ?? whole);
};
const responding = (path: string, respond: (body: string, type: string) => FakeResponse) =>
  fakeApi({ [`POST ${path}`]: ({ body, headers }) => respond(body, String(headers["content-type"])) });

/** A SOAP service that returns the origin that it was asked for. */
const soap = (read: (document: string) => string) =>
  fakeApi({
    "GET /": { json: {} },
    "GET /ws": ({ query }) =>
      query.has("wsdl") ? { headers: xml, body: TEA_SERVICE } : { status: 405, json: {} },
    "POST /ws": ({ body }) => ({
      headers: xml,
      body: `<soap:Envelope><Found>${/<origin>([^]*?)<\/origin>/.exec(read(body))?.[1] ?? "none"}</Found></soap:Envelope>`,
    }),
  });
const xml = { "content-type": "text/xml" };

testCheck(xxe, {
  positive: [
    {
      name: "an operation of a SOAP service, in a member of its message",
      target: soap(parsed),
      finding: { severity: "high", location: { method: "POST", path: "/ws", parameter: "FindTeas" } },
      count: 1,
    },
    {
      name: "a parser that puts entities in",
      document: picture,
      target: responding("/metadata/parse", (body) => ({ body: parsed(body) })),
      finding: { severity: "high", location: { method: "POST", path: "/metadata/parse" } },
      count: 1,
    },
    {
      name: "a read of JSON that takes XML too",
      document: search,
      target: responding("/teas/search", (body, type) =>
        type === "text/xml"
          ? { json: { term: parsed(body) } }
          : { status: 415, json: { error: "JSON only" } },
      ),
      count: 1,
    },
  ],
  negative: [
    { name: "a SOAP service that puts no entities in", target: soap((document) => document) },
    {
      name: "a document that is repeated as it is",
      document: picture,
      target: responding("/metadata/parse", (body) => ({ body })),
    },
    {
      name: "a read that takes JSON only",
      document: search,
      target: responding("/teas/search", () => ({ status: 415, json: { error: "JSON only" } })),
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document: picture,
      target: responding("/metadata/parse", () => ({ status: 401, json: {} })),
    },
    {
      name: "an operation that always fails",
      document: picture,
      target: responding("/metadata/parse", () => ({ status: 500, json: {} })),
    },
    {
      name: "a connection that is cut",
      document: picture,
      target: responding("/metadata/parse", () => ({ cut: true })),
    },
  ],
});
