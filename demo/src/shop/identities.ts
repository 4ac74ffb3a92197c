import { type DemoCredentials, DEMO_CREDENTIALS } from "./users.ts";

/** Which sign-in of the shop the identities use: JSON and access tokens, or the form and the cookie of the desk. */
export type SignIn = "token" | "desk";

const LOGIN: Record<SignIn, (credentials: DemoCredentials) => object> = {
  token: ({ email, password }) => ({
    operation: "POST /v2/sessions",
    body: { email, password },
    refresh: {
      operation: "POST /v2/sessions/refresh",
      body: { refreshToken: "/data/session/refreshToken" },
    },
  }),
  desk: ({ email, password }) => ({ operation: "POST /desk/sign-in", form: { email, password } }),
};

/** The seeded users of the shop as identities of a scan. */
export const shopIdentities = (signIn: SignIn = "token"): object[] =>
  DEMO_CREDENTIALS.map((credentials) => {
    const { name, role, tenant } = credentials;
    return { name, role, ...(tenant && { tenant }), login: LOGIN[signIn](credentials) };
  });

/** The file `identities.yaml`. */
export const shopIdentitiesFile = (): string =>
  [
    "# The users of the demo's shop. Their passwords are public.",
    "identities:",
    ...shopIdentities().map((identity) => block(identity, 4).replace("    ", "  - ")),
    "",
  ].join("\n");

/** A mapping in YAML: two levels one member a line, the rest as it is written in one. */
function block(value: object, indent: number): string {
  const lines = Object.entries(value).map(([key, member]) => {
    const isNested = indent === 4 && typeof member === "object";
    return `${" ".repeat(indent)}${key}:${isNested ? `\n${block(member as object, 6)}` : ` ${flow(member)}`}`;
  });
  return lines.join("\n");
}

function flow(value: unknown): string {
  if (typeof value !== "object" || value === null) return plain(String(value));
  const members = Object.entries(value).map(([key, member]) => `${key}: ${flow(member)}`);
  return `{ ${members.join(", ")} }`;
}

/** Without quotes where YAML needs none. */
const plain = (text: string): string =>
  /^[A-Za-z][A-Za-z0-9 /@.-]*$/.test(text) ? text : JSON.stringify(text);
