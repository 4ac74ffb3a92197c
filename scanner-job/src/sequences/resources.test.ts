import { describe, expect, it, test } from "vitest";
import { discoveredOperation, Operation } from "../inventory/operation.ts";
import type { KnownFacts } from "../inventory/operation.ts";
import { resourcesOf, resourceWith } from "./resources.ts";

function operation(text: string, more: Partial<KnownFacts> = {}): Operation {
  const [method = "", path = ""] = text.split(" ");
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    ...{ name, in: "path" as const, required: true, type: "string" as const },
    ...{ sample: "1", sampleIsDeclared: false },
  }));
  return new Operation("https://api.example", discoveredOperation({ method, path, parameters, ...more }));
}

const named = (each: Operation | undefined): string | undefined =>
  each && `${each.facts.method} ${each.facts.path}`;

/** A resource as text: `note: POST /notes, GET /notes/{id}`. */
const shown = (operations: readonly Operation[]): string[] =>
  resourcesOf(operations).map(({ name, create, list, read, update, remove }) => {
    const used = [create, list, read, ...update, remove].flatMap((each) => named(each) ?? "-");
    return `${name}: ${used.join(", ")}`;
  });

describe("the resources of an API", () => {
  test.each<[string, string[], string[]]>([
    [
      "a collection with all operations",
      [
        "GET /notes",
        "POST /notes",
        "GET /notes/{id}",
        "PATCH /notes/{id}",
        "PUT /notes/{id}",
        "DELETE /notes/{id}",
      ],
      [
        "note: POST /notes, GET /notes, GET /notes/{id}, PATCH /notes/{id}, PUT /notes/{id}, DELETE /notes/{id}",
      ],
    ],
    [
      "names of parameters that differ",
      ["POST /projects/{projectId}/tasks", "GET /projects/{project}/tasks/{task}"],
      ["task: POST /projects/{projectId}/tasks, -, GET /projects/{project}/tasks/{task}, -"],
    ],
    [
      "a path for the creation",
      ["POST /books/create", "GET /books/{title}"],
      ["book: POST /books/create, -, GET /books/{title}, -"],
    ],
    [
      "a version behind the name",
      ["POST /books/v1", "GET /books/v1/{title}"],
      ["book: POST /books/v1, -, GET /books/v1/{title}, -"],
    ],
    ["an item that nothing creates", ["GET /invoices/{id}"], ["invoice: -, -, GET /invoices/{id}, -"]],
    ["a creation without an item", ["POST /search"], []],
    [
      "a payment, which deleting does not undo",
      ["POST /payments", "GET /payments/{id}"],
      ["payment: -, -, GET /payments/{id}, -"],
    ],
  ])("%s", (_, operations, expected) => {
    expect(shown(operations.map((each) => operation(each)))).toEqual(expected);
  });

  it("come parents first, whatever the order of the document", () => {
    const operations = ["GET /a/{a}/b/{b}/c/{c}", "GET /a/{a}/b/{b}", "GET /a/{a}"].map((each) =>
      operation(each),
    );
    expect(resourcesOf(operations).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it("take a producer from an OpenAPI link", () => {
    const create = operation("POST /issue-ticket", {
      links: [{ to: "getTicket", parameters: { id: "$response.body#/id" } }],
    });
    const read = operation("GET /tickets/{id}", { operationId: "getTicket" });
    expect(shown([create, read])).toEqual(["ticket: POST /issue-ticket, -, GET /tickets/{id}, -"]);
    expect(resourceWith(resourcesOf([create, read]), create)?.name).toBe("ticket");
  });

  it("leave out GraphQL, whose operations share one path", () => {
    expect(shown([operation("POST /graphql/{id}", { graphqlField: "note" })])).toEqual([]);
  });
});
