import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discoveredOperation } from "../inventory/operation.ts";
import { CREATION, OWN_OBJECT, type ProbeRequest } from "../transport/exchange.ts";
import { decideActive, isReference, type OwnObjects } from "./active-policy.ts";

const MARKER = "gloveboxabcdefgh";
const own: OwnObjects = {
  marker: MARKER,
  paths: new Set(["/projects/7", "/projects/7/notes/n1"]),
  ids: new Map([
    ["project", new Set(["7"])],
    ["note", new Set(["n1"])],
    ["user", new Set(["u1"])],
  ]),
  accounts: new Set(["self-1"]),
  isFull: false,
};

interface Sent {
  /** `POST /projects/{p}/notes` */
  readonly operation: string;
  readonly path: string;
  readonly body?: unknown;
  readonly creates?: boolean;
  readonly as?: string;
  readonly more?: Partial<ProbeRequest>;
  readonly among?: OwnObjects;
}

function decision({ operation, path, body, creates, as = "self-1", more, among = own }: Sent): string {
  const [method = "", template = ""] = operation.split(" ");
  const request: ProbeRequest = {
    ...{ method, url: `https://api.example${path}`, as },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    form: method === "POST" ? CREATION : OWN_OBJECT,
    ...more,
  };
  const facts = discoveredOperation({ method, path: template });
  const decided = decideActive(among, {
    request,
    operation: { path: template, facts },
    creates: creates ?? method === "POST",
  });
  return decided === "send" ? decided : decided.refused;
}

const text = { text: `note ${MARKER}` };
const NOTES = "POST /projects/{p}/notes";
const NOTE = "PATCH /projects/{p}/notes/{n}";

describe("a write of an active scan is sent", () => {
  test.each<[string, Sent]>([
    ["if it creates something marked", { operation: "POST /projects", path: "/projects", body: text }],
    [
      "if it creates something in an object of its own",
      { operation: NOTES, path: "/projects/7/notes", body: text },
    ],
    [
      "if it changes an object of its own",
      { operation: NOTE, path: "/projects/7/notes/n1", body: { text: "x" } },
    ],
    ["as another user too", { operation: NOTE, path: "/projects/7/notes/n1", body: text, as: "self-2" }],
    ["if it deletes an object of its own", { operation: "DELETE /projects/{p}", path: "/projects/7" }],
    [
      "if what it refers to is its own",
      { operation: "POST /tags", path: "/tags", body: { ...text, project_id: 7, noteId: "n1", owner: "u1" } },
    ],
    [
      "if it changes the account that sends it",
      { operation: "PATCH /me", path: "/me", body: { role: "admin" } },
    ],
    [
      "if it registers a user at .invalid",
      {
        operation: "POST /register",
        path: "/register",
        body: { email: `${MARKER}@glovebox.invalid` },
        as: "anonymous",
      },
    ],
  ])("%s", (_, sent) => {
    expect(decision(sent)).toBe("send");
  });
});

describe("a write of an active scan is not sent", () => {
  test.each<[string, Sent, string]>([
    [
      "to an object that it did not create",
      { operation: "DELETE /projects/{p}", path: "/projects/8" },
      "the object in its path",
    ],
    [
      "to a child of such an object",
      { operation: NOTE, path: "/projects/8/notes/n1" },
      "the object in its path",
    ],
    [
      "to a child that it did not create",
      { operation: NOTE, path: "/projects/7/notes/n2" },
      "the object in its path",
    ],
    [
      "into an object that it did not create",
      { operation: NOTES, path: "/projects/8/notes", body: text },
      "the object in its path",
    ],
    ["without a marker", { operation: "POST /projects", path: "/projects", body: { text: "a" } }, "marks"],
    [
      "to an operation that may do something else",
      { operation: "POST /projects", path: "/projects", body: text, creates: false },
      "not known to create",
    ],
    [
      "with the id of something else",
      { operation: "POST /tags", path: "/tags", body: { ...text, noteId: "n2" } },
      "noteId",
    ],
    [
      "with an id that is its own of another resource",
      { operation: "POST /tags", path: "/tags", body: { ...text, invoiceId: 7 } },
      "invoiceId",
    ],
    [
      "with such an id inside a list",
      { operation: "POST /tags", path: "/tags", body: { ...text, items: [{ productIds: [1] }] } },
      "productIds",
    ],
    [
      "with a user who is not its own",
      { operation: "POST /tags", path: "/tags", body: { ...text, recipient: "u2" } },
      "recipient",
    ],
    [
      "with an id in the query",
      { operation: NOTE, path: "/projects/7/notes/n1?note_id=n2", body: text },
      "note_id",
    ],
    [
      "with an id in a header",
      { operation: NOTE, path: "/projects/7/notes/n1", more: { headers: { "X-User-Id": "u2" } } },
      "X-User-Id",
    ],
    [
      "with another id in the body than in the path",
      { operation: NOTE, path: "/projects/7/notes/n1", body: { id: "n2" } },
      "id",
    ],
    [
      "with an address that may exist",
      { operation: "POST /tags", path: "/tags", body: { ...text, note: "ada@example.com" } },
      "e-mail",
    ],
    [
      "to the account of an identity that was given",
      { operation: "PATCH /me", path: "/me", as: "alice" },
      "names no object",
    ],
    ["to a singleton", { operation: "PUT /settings", path: "/settings" }, "names no object"],
    [
      "by a POST to its own object",
      { operation: "POST /projects/{p}", path: "/projects/7", more: { form: OWN_OBJECT } },
      "does not change",
    ],
    [
      "by a path that is sent as it is",
      { operation: NOTE, path: "/projects/7/notes/n1", more: { rawPath: "/projects/8" } },
      "not known",
    ],
    [
      "once the journal is full",
      { operation: "POST /projects", path: "/projects", body: text, among: { ...own, isFull: true } },
      "journal",
    ],
  ])("%s", (_, sent, reason) => {
    expect(decision(sent)).toContain(reason);
  });

  test("a write of an active scan is not sent to any id but those that the scan created, whatever the method and the body", () => {
    const ids = fc.oneof(fc.nat().map(String), fc.uuid(), fc.stringMatching(/^[\w-]{1,12}$/));
    const bodies = fc.oneof(fc.constant(undefined), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(ids, bodies, fc.constantFrom("PUT", "PATCH", "DELETE", "POST"), (id, body, method) => {
        fc.pre(id !== "7");
        const sent = { operation: `${method} /projects/{p}`, path: `/projects/${id}`, body };
        expect(decision(sent)).toContain("Not sent");
      }),
    );
  });

  test("a write of an active scan is not sent with any value but its own in a member that refers to something", () => {
    const names = fc.constantFrom("noteId", "note_id", "userId", "owner", "projectIds", "user_uuid", "to");
    const values = fc.oneof(fc.nat(), fc.stringMatching(/^[\w.-]{1,20}$/));
    fc.assert(
      fc.property(names, values, (name, value) => {
        fc.pre(!["7", "n1", "u1"].includes(String(value)) && !String(value).includes(MARKER));
        const sent = {
          operation: "POST /tags",
          path: "/tags",
          body: { ...text, inner: [{ [name]: value }] },
        };
        expect(decision(sent)).toContain("Not sent");
      }),
    );
  });
});

test.each([
  ["noteId", true],
  ["note_id", true],
  ["id", true],
  ["X-User-Id", true],
  ["valid", false],
  ["paid", false],
  ["title", false],
])("%s is a reference: %s", (name, expected) => {
  expect(isReference(name)).toBe(expected);
});
