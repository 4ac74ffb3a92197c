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

/** The file `identities.yaml`: JSON flow style in YAML, one identity after the other. */
export const shopIdentitiesFile = (signIn?: SignIn): string =>
  [
    "# The users of the demo's shop. Their passwords are public.",
    "identities:",
    ...shopIdentities(signIn).map(entry),
    "",
  ].join("\n");

const entry = (identity: object): string =>
  Object.entries(identity)
    .map(([key, value], index) => `${index === 0 ? "  - " : "    "}${key}: ${flow(value)}`)
    .join("\n");

/** JSON with spaces is YAML. */
function flow(value: unknown): string {
  if (typeof value !== "object" || value === null) return plain(value);
  const members = Object.entries(value).map(([key, member]) => `${key}: ${flow(member)}`);
  return `{ ${members.join(", ")} }`;
}

const plain = (value: unknown): string =>
  /^[a-z]+$/.test(String(value)) ? String(value) : JSON.stringify(value);
