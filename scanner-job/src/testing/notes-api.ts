import type { RequestListener } from "node:http";
import { objectOf } from "../json.ts";
import { apiDocument } from "./api-document.ts";
import { fakeApi, type FakeResponse, type Incoming, type Route } from "./fake-api.ts";

interface User {
  readonly id: string;
  readonly email: string;
  password: string;
  [member: string]: unknown;
}

interface Note {
  readonly id: number;
  owner: string;
  text: string;
  [member: string]: unknown;
}

/** Whether a user may use a note. */
type Rule = (user: User, note: Note) => boolean;

export interface NotesRules {
  /** Default: the owner. */
  readonly list?: Rule;
  readonly read?: Rule;
  readonly change?: Rule;
  readonly remove?: Rule;
  /** Members of a body that an update of a note, or of the own account, stores. Default: those that are declared. */
  readonly binds?: readonly string[];
  /** What a registration is refused for, unless it is `undefined`. */
  readonly refuses?: (body: Readonly<Record<string, unknown>>) => FakeResponse | undefined;
  /** Further required members of a registration. */
  readonly asksFor?: readonly string[];
  /** A note is created, and the response is an error. */
  readonly failsAfterCreation?: true;
  readonly withoutRegistration?: true;
  /** Members of a registration that are stored beside name, address and password. */
  readonly bindsAtRegistration?: readonly string[];
  /** Adds `PUT /me/password`, and says what becomes of the sessions of before. */
  readonly passwordChange?: "ends sessions" | "keeps sessions";
  readonly withoutDeletion?: true;
  readonly withAccountDeletion?: true;
}

/** An API of notes, with users who register: what it stores, and its document. */
export interface NotesApi {
  readonly target: RequestListener;
  readonly document: object;
  readonly users: readonly User[];
  readonly notes: readonly Note[];
  /** Everything but the notes and users of the scan, as text: nothing may change it. */
  readonly seeded: () => string;
}

export const isOwner: Rule = (user, note) => note.owner === user.id;
export const anybody: Rule = () => true;

const SEEDED_USER: User = {
  id: "ada",
  email: "ada@example.com",
  password: "pw-of-ada",
  role: "admin",
  credit: 9,
};
const SEEDED_NOTES: readonly Note[] = [1, 2, 3].map((id) => ({
  id,
  owner: "ada",
  text: `Note ${id}`,
  isApproved: true,
}));

export function notesApi(rules: NotesRules = {}): NotesApi {
  const { list = isOwner, read = isOwner, change = isOwner, remove = isOwner, binds = [] } = rules;
  const users: User[] = [{ ...SEEDED_USER }];
  const notes: Note[] = SEEDED_NOTES.map((note) => ({ ...note }));
  const sessions = new Map<string, User>();
  let signIns = 0;
  const as =
    (respond: (user: User, incoming: Incoming) => FakeResponse): Route =>
    (incoming) => {
      const user = sessions.get(incoming.headers.authorization?.replace("Bearer ", "") ?? "");
      return user && users.includes(user)
        ? respond(user, incoming)
        : { status: 401, json: { error: "Sign in" } };
    };
  const one = (rule: Rule, respond: (note: Note, incoming: Incoming) => FakeResponse): Route =>
    as((user, incoming) => {
      const note = notes.find(({ id }) => String(id) === incoming.params["id"]);
      return note && rule(user, note)
        ? respond(note, incoming)
        : { status: 404, json: { error: "Not found" } };
    });
  const routes: Record<string, Route> = {
    "POST /register": ({ body }) => register(parsed(body), { users, rules }),
    "POST /login": ({ body }) => {
      const { email, password } = parsed(body);
      const user = users.find((each) => each.email === email && each.password === password);
      if (!user) return { status: 401, json: { error: "Unknown user" } };
      const token = `token-of-${user.id}-${++signIns}`;
      sessions.set(token, user);
      return { json: { token } };
    },
    "GET /me": as((user) => ({ json: shown(user) })),
    "PATCH /me": as((user, { body }) => {
      const members = parsed(body);
      if (typeof members["name"] !== "string") return { status: 400, json: { error: "name is required" } };
      // What it ignores it still repeats.
      return {
        json: { ...shown(Object.assign(user, only(members, ["name", "email", ...binds]))), ...members },
      };
    }),
    ...(rules.passwordChange && {
      "PUT /me/password": as((user, { body }) => {
        const { currentPassword, newPassword } = parsed(body);
        if (currentPassword !== user.password) return { status: 403, json: { error: "Wrong password" } };
        user.password = String(newPassword);
        if (rules.passwordChange === "ends sessions")
          for (const [token, each] of sessions) if (each === user) sessions.delete(token);
        return { status: 204 };
      }),
    }),
    "DELETE /me": as((user) => {
      users.splice(users.indexOf(user), 1);
      return { status: 204 };
    }),
    "GET /notes": as((user) => ({ json: { notes: notes.filter((note) => list(user, note)) } })),
    "POST /notes": as((user, { body }) => {
      const { text } = parsed(body);
      if (typeof text !== "string") return { status: 400, json: { error: "text is required" } };
      // As a database without a sequence does, which gives the id of a deleted row again.
      const id = Math.max(...notes.map((note) => note.id)) + 1;
      const note = { id, owner: user.id, text, isApproved: false };
      notes.push(note);
      return rules.failsAfterCreation
        ? { status: 500, json: { error: "Failed" } }
        : { status: 201, json: note };
    }),
    "GET /notes/{id}": one(read, (note) => ({ json: note })),
    "PATCH /notes/{id}": one(change, (note, { body }) => {
      Object.assign(note, only(parsed(body), ["text", ...binds]));
      return { status: 204 };
    }),
    "DELETE /notes/{id}": one(remove, (note) => {
      notes.splice(notes.indexOf(note), 1);
      return { status: 204 };
    }),
  };
  if (rules.withoutRegistration) delete routes["POST /register"];
  if (rules.withoutDeletion) delete routes["DELETE /notes/{id}"];
  if (!rules.withAccountDeletion) delete routes["DELETE /me"];
  return {
    ...{ target: fakeApi(routes), document: documentOf(Object.keys(routes), rules), users, notes },
    seeded: () =>
      JSON.stringify([users.filter(({ id }) => id === "ada"), notes.filter(({ owner }) => owner === "ada")]),
  };
}

/** What a new notes API has, before a scan. */
export const SEEDED = JSON.stringify([[SEEDED_USER], SEEDED_NOTES]);

function register(
  body: Readonly<Record<string, unknown>>,
  { users, rules }: { users: User[]; rules: NotesRules },
): FakeResponse {
  const refusal = rules.refuses?.(body);
  if (refusal) return refusal;
  const { email, password } = body;
  const bound = only(body, rules.bindsAtRegistration ?? []);
  if (typeof email !== "string" || typeof password !== "string")
    return { status: 400, json: { error: "email and password are required" } };
  const user = { id: `user-${users.length}`, email, password, name: "", ...UNPRIVILEGED, ...bound };
  users.push(user);
  return { status: 201, json: { id: user.id } };
}

const UNPRIVILEGED = { role: "user", credit: 0, tenant: "none" };

const shown = ({ password: _, ...user }: User): object => user;

const parsed = (body: string): Readonly<Record<string, unknown>> => {
  try {
    return objectOf(JSON.parse(body));
  } catch {
    return {};
  }
};

const only = (members: Readonly<Record<string, unknown>>, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));

/** The document of these routes: `POST /notes`. */
function documentOf(routes: readonly string[], { asksFor = [] }: NotesRules): object {
  const bodies: Record<string, readonly string[]> = {
    "POST /register": ["email", "password", ...asksFor],
    "POST /login": ["email", "password"],
    "PATCH /me": ["name", "email"],
    "PUT /me/password": ["currentPassword", "newPassword"],
    "POST /notes": ["text"],
    "PATCH /notes/{id}": ["text"],
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const [method = "", path = ""] = route.split(" ");
    const names = bodies[route];
    (paths[path] ??= {})[method.toLowerCase()] = {
      responses: { 200: { description: "Done" } },
      ...(path.includes("{") && {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      }),
      ...(names && {
        requestBody: { required: true, content: { "application/json": { schema: schemaOf(names) } } },
      }),
    };
  }
  return apiDocument(paths);
}

const schemaOf = (names: readonly string[]): object => ({
  type: "object",
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
