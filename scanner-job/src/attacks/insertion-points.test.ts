import { expect, it } from "vitest";
import type { Parameter } from "../inventory/operation.ts";
import { anOperation, aTargetProfile } from "../testing/samples.ts";
import { insertionPoints } from "./insertion-points.ts";

const parameter = (name: string, place: Parameter["in"] = "query"): Parameter => ({
  name,
  in: place,
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
