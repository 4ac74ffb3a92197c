import { createHmac, randomBytes } from "node:crypto";

export interface Account {
  id: string;
  email: string;
  password: string;
  role: "user" | "admin";
  token: string;
}

/** Signing key of the vulnerable API's JWTs, which is in every word list. */
const WEAK_KEY = "secret";

/** Two patients and an administrator, with new passwords and session tokens at every start. */
export function createAccounts(): Account[] {
  const emails = ["ada@larkfield.test", "ben@larkfield.test", "root@larkfield.test"];
  return emails.map((email, index) => ({
    id: `account-${index + 1}`,
    email,
    password: randomBytes(12).toString("base64url"),
    role: email.startsWith("root") ? "admin" : "user",
    token: randomBytes(32).toString("base64url"),
  }));
}

/** A JWT signed with the weak key, without an expiry time. */
export function issueWeakToken(email: string): string {
  const head = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ sub: email, role: "user" })}`;
  return `${head}.${signature(head)}`;
}

/** The subject of a JWT, or undefined if its signature is invalid. Accepts `alg: none` in upper and lower case. */
export function weakTokenSubject(token: string): string | undefined {
  const [head = "", claims = "", signed = ""] = token.split(".");
  const { alg } = decoded(head) as { alg?: unknown };
  const { sub } = decoded(claims) as { sub?: unknown };
  const unsigned = typeof alg === "string" && alg.toLowerCase() === "none";
  if (!unsigned && signed !== signature(`${head}.${claims}`)) return undefined;
  return typeof sub === "string" ? sub : "unknown";
}

function signature(head: string): string {
  return createHmac("sha256", WEAK_KEY).update(head).digest("base64url");
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decoded(part: string): object {
  try {
    return (JSON.parse(Buffer.from(part, "base64url").toString()) ?? {}) as object;
  } catch {
    return {};
  }
}
