import { ROLES, type Role } from "@glovebox/contract";

/** Which roles of an account may do what in it. Operator administrators may do everything, in every account (docs/admin.md). */
const ROLES_WITH = {
  "scans:read": ROLES,
  "scans:write": ["owner", "member"],
  "findings:read": ROLES,
  "findings:triage": ["owner", "member"],
  "identities:read": ["owner", "member"],
  "identities:write": ["owner", "member"],
  "usage:read": ROLES,
  "keys:read": ["owner", "member"],
  "keys:write": ["owner"],
  "members:read": ROLES,
  "members:write": ["owner"],
  "account:write": ["owner"],
  "webhooks:read": ["owner", "member"],
  "webhooks:write": ["owner"],
  "schedules:read": ROLES,
  "schedules:write": ["owner", "member"],
  "audit:read": ["owner"],
  /** Every account, its plan and its members; users; the queue and the cluster. */
  "accounts:administer": [],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type AccountPermission = keyof typeof ROLES_WITH;
/** `session`: whoever is signed in: the own session, and what is the same for everybody. */
export type Permission = AccountPermission | "session";

const PERMISSIONS = Object.keys(ROLES_WITH) as [AccountPermission, ...AccountPermission[]];

/** The role of a user in an account; undefined when the user is not a member. */
export interface Standing {
  readonly role: Role | undefined;
  readonly isAdministrator: boolean;
}

export const permits = (permission: AccountPermission, { role, isAdministrator }: Standing): boolean =>
  isAdministrator || (role !== undefined && (ROLES_WITH[permission] as readonly Role[]).includes(role));

/** What the user may do, for a client that shows no more than that. */
export const permissionsOf = (standing: Standing): AccountPermission[] =>
  PERMISSIONS.filter((permission) => permits(permission, standing));
