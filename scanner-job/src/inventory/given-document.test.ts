import type { ScanOrder } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { NetworkError } from "../transport/network-error.ts";
import { ProbeResponse, type ProbeRequest } from "../transport/exchange.ts";
import { readDocument } from "./api-document.ts";
import { givenDocument } from "./given-document.ts";

const ADDRESS = "https://api.example/openapi.json";
const POSTMAN = JSON.stringify({ info: { _postman_id: "1" }, item: [] });
const USABLE = JSON.stringify({ openapi: "3.1.0", info: {}, paths: { "/a": { get: {} } } });

/** The document of an order, where its address responds like this. */
const given = (
  order: Pick<ScanOrder, "spec" | "needsSpec">,
  response: { status?: number; body?: string } = {},
) =>
  givenDocument(
    {
      send: (request: ProbeRequest) =>
        Promise.resolve(new ProbeResponse({ request, status: 200, headers: {}, body: "", ...response })),
      target: new URL("https://api.example/"),
      read: readDocument,
    },
    order,
  );

describe("the document of an order", () => {
  it("the document of an order is read where it is one, whether or not the order needs it", async () => {
    for (const needed of [{}, { needsSpec: true as const }]) {
      const { document, notes } = await given({ spec: { from: "text", text: USABLE }, ...needed });
      expect(document?.operations).toHaveLength(1);
      expect(notes).toEqual([]);
    }
  });

  it.each<[string, NonNullable<ScanOrder["spec"]>, { status?: number; body?: string }, RegExp]>([
    [
      "is of another kind",
      { from: "text", text: POSTMAN },
      {},
      /It is a Postman collection, not an OpenAPI document/,
    ],
    ["is empty", { from: "text", text: "" }, {}, /It is empty/],
    [
      "describes nothing",
      { from: "text", text: JSON.stringify({ openapi: "3.1.0", info: {}, paths: {} }) },
      {},
      /It describes no operation/,
    ],
    ["is not found", { from: "url", url: ADDRESS }, { status: 404 }, /Its address returned status 404/],
    ["is a page", { from: "url", url: ADDRESS }, { body: "<!doctype html>" }, /It is a page of HTML/],
  ])(
    "the document of an order that %s fails an order that needs it, and is a note in any other",
    async (_, spec, response, reason) => {
      const { document, notes } = await given({ spec }, response);
      expect(document).toBeUndefined();
      expect(notes).toEqual([expect.stringMatching(reason)]);
      await expect(given({ spec, needsSpec: true }, response)).rejects.toThrow(reason);
    },
  );

  it("the document of an order that cannot be fetched fails an order that needs it, with the reason", async () => {
    const unreachable = () => Promise.reject(new NetworkError("refused", "The connection was refused"));
    const order = { spec: { from: "url", url: ADDRESS } as const, needsSpec: true as const };
    const deps = { send: unreachable, target: new URL("https://api.example/"), read: readDocument };
    await expect(givenDocument(deps, order)).rejects.toThrow("The connection was refused.");
  });
});
