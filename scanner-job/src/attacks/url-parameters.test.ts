import { expect, it } from "vitest";
import type { Field, Parameter } from "../inventory/operation.ts";
import { anOperation, aTargetProfile } from "../testing/samples.ts";
import { takesUrl, urlParameters } from "./url-parameters.ts";

const query = (name: string, rest: Partial<Parameter> = {}): Parameter => ({
  name,
  in: "query",
  required: false,
  type: "string",
  sample: "test",
  sampleIsDeclared: false,
  ...rest,
});
const field = (name: string): Field => ({
  path: name,
  name,
  type: "string",
  readOnly: false,
  required: true,
});
const post = (path: string, name: string) =>
  anOperation({
    method: "POST",
    path,
    body: {
      mediaType: "application/json",
      required: true,
      sample: { a: 1 },
      fields: [field(name)],
      closed: false,
    },
  });

it("URLs are found in reads and in bodies of operations that only read, those recognised by name first", () => {
  const operations = [
    anOperation({
      path: "/pictures/preview",
      parameters: [
        query("picture-file", { sample: "config/teas/green.jpg" }),
        query("url"),
        query("size"),
        query("target", { type: "integer" }),
      ],
    }),
    post("/webhooks/test", "callbackUrl"),
    post("/webhooks", "callbackUrl"),
    post("/texts/preview", "text"),
  ];
  expect(
    urlParameters(aTargetProfile({ operations })).map(
      ({ location }) => `${location.path} ${location.parameter}`,
    ),
  ).toEqual(["/pictures/preview url", "/webhooks/test callbackUrl", "/pictures/preview picture-file"]);
});

it.each([
  ["imageUrl", true],
  ["webhook_url", true],
  ["redirect-uri", true],
  ["host", true],
  ["hourly", false],
  ["curl", true],
  ["name", false],
])("%s takes an address: %s", (name, expected) => expect(takesUrl({ name })).toBe(expected));

it("a format indicates a URL where the name does not", () =>
  expect(takesUrl({ name: "x", format: "uri" })).toBe(true));
