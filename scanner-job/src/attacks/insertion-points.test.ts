import { expect, it } from "vitest";
import type { Parameter } from "../inventory/operation.ts";
import { anOperation, aTargetProfile } from "../testing/samples.ts";
import { insertionPoints } from "./insertion-points.ts";

const parameter = (name: string, location: Parameter["in"] = "query"): Parameter => ({
  name,
  in: location,
  required: false,
  type: "string",
  sample: "test",
  sampleIsDeclared: false,
});
const operations = [
  anOperation({ path: "/orders", security: "required", parameters: [parameter("status")] }),
  anOperation({ path: "/things", parameters: [parameter("q"), parameter("sort")] }),
  anOperation({
    path: "/things/{id}",
    parameters: [parameter("id", "path"), parameter("x-trace", "header")],
  }),
  anOperation({ method: "POST", path: "/things", parameters: [parameter("dry")] }),
];
const namesOf = (accepts?: Parameters<typeof insertionPoints>[1]) =>
  insertionPoints(aTargetProfile({ operations }), accepts).map((point) => point.parameter.name);

it("insertion points are query parameters, ids and headers of reads, open operations first, one of each before the next", () => {
  expect(namesOf()).toEqual(["q", "id", "status", "sort", "x-trace"]);
});

it("insertion points are those that are accepted", () => {
  expect(namesOf(({ name }) => name === "sort")).toEqual(["sort"]);
});

it("insertion points are every value in the path, members of lists in the body, and a raw body as a whole", () => {
  const member = (path: string, type = "string") => ({
    path,
    name: path.split(".").at(-1)!,
    type,
    readOnly: false,
    required: false,
  });
  const body = { mediaType: "application/json", required: true, sample: {}, fields: [], closed: false };
  const operations = [
    anOperation({
      path: "/shops/{shop}/teas/{tea}",
      parameters: [parameter("shop", "path"), parameter("tea", "path")],
    }),
    anOperation({
      method: "POST",
      path: "/teas/search",
      body: { ...body, fields: [member("filters[].value"), member("filters", "array")] },
    }),
    anOperation({ method: "POST", path: "/texts/render", body: { ...body, mediaType: "text/plain" } }),
  ];
  const points = insertionPoints(aTargetProfile({ operations })).map(
    ({ location, parameter: { name } }) => `${location.path} ${name}`,
  );
  expect(points.toSorted()).toEqual([
    "/shops/{shop}/teas/{tea} shop",
    "/shops/{shop}/teas/{tea} tea",
    "/teas/search filters[].value",
    "/texts/render (body)",
  ]);
});
