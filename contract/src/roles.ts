/** What a member of an account may be, the most powerful first. What each may do: docs/sign-in.md. */
export const ROLES = ["owner", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** The more powerful of two roles. */
export const higherRole = (one: Role, other: Role): Role =>
  ROLES.indexOf(one) <= ROLES.indexOf(other) ? one : other;
