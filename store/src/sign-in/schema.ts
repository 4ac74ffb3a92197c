import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { Role } from "@glovebox/contract";
import { accounts } from "../accounts/schema.ts";

/*
 * The tables of sign-in: who may use the dashboard, and as what (docs/sign-in.md). A secret that we made is stored as its
 * SHA-256 only, a password as its argon2id hash.
 */

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const id = () => uuid("id").primaryKey().defaultRandom();
const createdAt = () => moment("created_at").notNull().defaultNow();
const userId = () =>
  uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
const sha256 = () => char("sha256", { length: 64 }).notNull().unique();

export const users = pgTable(
  "users",
  {
    id: id(),
    /** In lower case. */
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    /** Null: signs in with a provider only. */
    passwordHash: text("password_hash"),
    isAdministrator: boolean("is_administrator").notNull().default(false),
    /** The provider whose group claim made the user an administrator; null: a person did. */
    administratorIssuer: text("administrator_issuer"),
    disabledAt: moment("disabled_at"),
    /** Null: has never signed in. */
    lastSignInAt: moment("last_sign_in_at"),
    createdAt: createdAt(),
  },
  () => [check("users_email_lower", sql`email = lower(email)`)],
);

/** By what an OpenID Connect provider identifies a user; never by the address, which a provider may not have verified. */
export const identities = pgTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: userId(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identities_user").on(table.userId),
  ],
);

export const memberships = pgTable(
  "memberships",
  {
    userId: userId(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    role: text("role").$type<Role>().notNull(),
    /** The provider whose group claim gave the role; null: a person did. */
    issuer: text("issuer"),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.accountId] }),
    index("memberships_account").on(table.accountId),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    /** Of the token in the cookie. */
    sha256: sha256(),
    userId: userId(),
    /** The account in view. */
    accountId: uuid("account_id").references(() => accounts.id, { onDelete: "set null" }),
    hasSecondFactor: boolean("has_second_factor").notNull().default(false),
    /** When its user last confirmed it with the password or a passkey; null: has not. */
    confirmedAt: moment("confirmed_at"),
    createdAt: moment("created_at").notNull(),
    /** The last request, to the minute. */
    seenAt: moment("seen_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    ip: text("ip"),
    agent: text("agent"),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expired").on(table.expiresAt)],
);

/** One-time links: for new members and administrators, and for a new password of a user. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    /** Of the token in the link. */
    sha256: sha256(),
    /** Null: joins no account. */
    accountId: uuid("account_id").references(() => accounts.id, { onDelete: "cascade" }),
    role: text("role").$type<Role>(),
    isAdministrator: boolean("is_administrator").notNull().default(false),
    /** Null: the address of the first administrator, who enters it. */
    email: text("email"),
    /** Whose password the link sets; null: invites. */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    createdBy: uuid("created_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
  },
  (table) => [
    index("invitations_account").on(table.accountId),
    index("invitations_expired").on(table.expiresAt),
  ],
);

/** The second factors of users (Web Authentication). */
export const passkeys = pgTable(
  "passkeys",
  {
    /** The credential's id, in base64url. */
    id: text("id").primaryKey(),
    userId: userId(),
    name: text("name").notNull(),
    /** COSE key, in base64url. */
    publicKey: text("public_key").notNull(),
    /** The authenticator's signature counter. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** Challenges that a browser must respond to within minutes, once: with a passkey at sign-in, or with a new one. */
export const challenges = pgTable(
  "challenges",
  {
    /** Of the token in the cookie. */
    sha256: char("sha256", { length: 64 }).primaryKey(),
    userId: userId(),
    purpose: text("purpose").$type<"signIn" | "registration" | "confirmation">().notNull(),
    challenge: text("challenge").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("challenges_expired").on(table.expiresAt)],
);

/** What a provider said of somebody, until they confirm in the same browser what it is to be used for. */
export const providerResponses = pgTable(
  "provider_answers",
  {
    /** Of the token in the cookie. */
    sha256: char("sha256", { length: 64 }).primaryKey(),
    /** JSON. */
    answer: text("answer").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("provider_answers_expired").on(table.expiresAt)],
);

/** Browsers in which a user has signed in before: an attack on sign-in does not delay them. */
export const knownBrowsers = pgTable(
  "known_browsers",
  {
    /** Of the token in the cookie; several users may share a browser. */
    sha256: char("sha256", { length: 64 }).notNull(),
    userId: userId(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.sha256, table.userId] }),
    index("known_browsers_user").on(table.userId),
    index("known_browsers_expired").on(table.expiresAt),
  ],
);
