import { collection } from "../collection.ts";
import { isMember, isShared } from "../rows.ts";
import { NUMBER, type ShopRoute, TEXT, UUID, weakness } from "../route.ts";

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
      remove: weakness(
        "bolaAuthorization",
        "object-delete",
        "Reading a note is limited to its owner, deleting it is not",
      ),
    },
  }),
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
