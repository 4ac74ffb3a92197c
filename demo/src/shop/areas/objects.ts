import { notFound, text } from "../../response.ts";
import { collection, idIn } from "../collection.ts";
import { findFor, isMember, isOwn, isShared } from "../rows.ts";
import { NUMBER, type ShopHandle, type ShopRoute, TEXT, UUID, weakness } from "../route.ts";

/** A page with the note, for its owner in both variants. */
const printed =
  (shown: (value: string) => string): ShopHandle =>
  (call, { tables }) => {
    const note = findFor(call, { rows: tables.notes, id: call.params["noteId"], rule: isOwn });
    if (!note) return notFound();
    const [title, body] = [note["title"], note["text"]].map((value) => shown(String(value)));
    return text(
      200,
      "text/html; charset=utf-8",
      `<!doctype html>\n<html lang="en"><title>Note</title><h1>${title}</h1><p>${body}</p></html>\n`,
    );
  };

const USERS = { type: "array", items: UUID };
const ITEMS = { type: "array", items: TEXT, maxItems: 20 };

/** What users keep in the shop: objects that only they, those with whom they share, or their colleagues may use. */
export const objects: ShopRoute[] = [
  ...collection({
    table: "orders",
    path: "/v2/orders",
    parameter: "orderId",
    noun: "order",
    tag: "Orders",
    id: NUMBER,
    fields: {
      item: TEXT,
      quantity: { type: "integer", minimum: 1, maximum: 99 },
      deliverTo: TEXT,
    },
    returned: { status: TEXT },
    initial: () => ({ status: "open" }),
    weaknesses: {
      read: weakness("bolaAuthorization", "object-read", "Any order can be read by its number"),
      change: weakness(
        "bolaAuthorization",
        "object-change",
        "Any order can be changed, and so delivered elsewhere",
      ),
    },
  }),
  ...collection({
    table: "notes",
    path: "/v2/notes",
    parameter: "noteId",
    noun: "note",
    tag: "Notes",
    fields: { title: TEXT, text: TEXT },
    weaknesses: {
      create: weakness(
        "inputValidation",
        "stored-markup",
        "Stored cross-site scripting: the printed note does not escape its text",
      ),
      remove: weakness(
        "bolaAuthorization",
        "object-delete",
        "Reading a note is limited to its owner, deleting it is not",
      ),
    },
    traps: { read: ["Markup in a note is returned as it is, as JSON"] },
  }),
  {
    method: "GET",
    path: "/v2/notes/{noteId}/print",
    access: "user",
    operation: { summary: "Print note", tag: "Notes", parameters: [idIn("noteId")] },
    weaknesses: [],
    vulnerable: printed((value) => value),
    hardened: printed((value) => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)),
  },
  ...collection({
    table: "lists",
    path: "/v2/lists",
    parameter: "listId",
    noun: "wish list",
    tag: "Wish lists",
    fields: { title: TEXT, items: ITEMS },
    returned: { sharedWith: USERS },
    initial: () => ({ sharedWith: [] }),
    sees: isShared,
    allows: isShared,
    weaknesses: {
      change: weakness(
        "bolaAuthorization",
        "object-change",
        "A list that is shared for reading can be changed by those who read it",
      ),
    },
    traps: {
      list: ["The lists of a user include those that others share with them"],
      read: ["A list that its owner shares is read by somebody else"],
    },
  }),
  ...collection({
    table: "projects",
    path: "/v2/projects",
    parameter: "projectId",
    noun: "project",
    tag: "Projects",
    fields: { title: TEXT },
    returned: { members: USERS },
    initial: ({ user }) => ({ members: [user.id] }),
    sees: isMember,
    traps: {
      list: ["Colleagues see the same projects"],
      read: ["A project of a team is read by a member who did not create it"],
    },
  }),
];
