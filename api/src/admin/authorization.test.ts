import { ROLES, type Role } from "@glovebox/contract";
import type { Session } from "@glovebox/store";
import { describe, expect, it } from "vitest";
import type { Services } from "../deps.ts";
import { permits, type Permission } from "./permissions.ts";
import { adminRouter } from "./router.ts";
import type { AdminContext } from "./trpc.ts";

const ACCOUNT = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";
const UNKNOWN = "00000000-0000-4000-8000-000000000005";

interface AnyProcedure {
  readonly _def: { readonly type: string; readonly meta?: { readonly permission?: Permission } };
}
const procedures = Object.entries(adminRouter._def.procedures as unknown as Record<string, AnyProcedure>).map(
  ([path, { _def }]) => ({ path, ..._def }),
);
const permissionOf = (path: string): Permission =>
  procedures.find((each) => each.path === path)!.meta!.permission!;

interface Who {
  readonly isAdministrator?: boolean;
  /** In the account of the call. */
  readonly role?: Role;
  /** The account that the call names; undefined: none. */
  readonly accountId?: string | undefined;
}

const sessionOf = ({ isAdministrator = false, role }: Who): Session => ({
  sessionId: "00000000-0000-4000-8000-000000000003",
  user: {
    id: "00000000-0000-4000-8000-000000000004",
    email: "ada@example.com",
    name: "Ada",
    isAdministrator,
  },
  memberships: [
    ...(role ? [{ accountId: ACCOUNT, accountName: "shop", plan: "pro" as const, role }] : []),
    { accountId: OTHER, accountName: "other", plan: "pro" as const, role: "owner" as const },
  ],
  accountId: ACCOUNT, // opened last: of no consequence to a call
  createdAt: new Date(),
  hasSecondFactor: false,
  isConfirmed: false,
});

/** Code of the error of a call without its input: authorization comes first. */
async function refusal(path: string, who: Who | undefined): Promise<string> {
  const findById = async (id: string) => ({ id, name: "shop", plan: "pro" });
  const changing = () => () => Promise.reject(new Error("not reached without an input"));
  const services = { store: { accounts: { findById }, changing } } as unknown as Services;
  const session = who && sessionOf(who);
  const context: AdminContext = {
    accountId: who && "accountId" in who ? who.accountId : ACCOUNT,
    ...{ services, session, requestId: "r", ip: null, signal: new AbortController().signal },
    readSession: async () => session,
  };
  const caller = adminRouter.createCaller(context);
  const call = path
    .split(".")
    .reduce((part: never, name) => part[name], caller as never) as () => Promise<unknown>;
  return call().then(
    () => "none",
    (error: { code?: string }) => error.code ?? "fault",
  );
}

const every = procedures.map(({ path }) => path);
const ofAccounts = every.filter((path) => !["session", "accounts:administer"].includes(permissionOf(path)));

describe("every procedure of the admin interface", () => {
  it("declares its permission", () => {
    expect(procedures.filter(({ meta }) => meta?.permission === undefined)).toEqual([]);
    expect(procedures.length).toBeGreaterThan(5);
  });

  it.each(every)("refuses a caller who is not signed in: %s", async (path) => {
    expect(await refusal(path, undefined)).toBe("UNAUTHORIZED");
  });

  it.each(every)("takes an input, so that no form of another site runs it: %s", async (path) => {
    expect(await refusal(path, { isAdministrator: true })).toBe("BAD_REQUEST");
  });

  it.each(ofAccounts.flatMap((path) => ROLES.map((role) => [path, role] as const)))(
    "every procedure of the admin interface is refused to roles without its permission, and to no other: %s for a %s",
    async (path, role) => {
      const permission = permissionOf(path) as Parameters<typeof permits>[0];
      const isPermitted = permits(permission, { role, isAdministrator: false });
      expect(await refusal(path, { role })).toBe(isPermitted ? "BAD_REQUEST" : "FORBIDDEN");
    },
  );

  it.each(ofAccounts)(
    "every procedure of the admin interface is refused to the owner of another account, and in a call that names no account: %s",
    async (path) => {
      expect(await refusal(path, {})).toBe("FORBIDDEN");
      expect(await refusal(path, { role: "owner", accountId: undefined })).toBe("FORBIDDEN");
      expect(await refusal(path, { isAdministrator: true, accountId: undefined })).toBe("FORBIDDEN");
      expect(await refusal(path, { role: "viewer", accountId: UNKNOWN })).toBe("FORBIDDEN");
    },
  );

  it("over all accounts is refused to owners", async () => {
    for (const path of every.filter((each) => permissionOf(each) === "accounts:administer"))
      expect([path, await refusal(path, { role: "owner" })]).toEqual([path, "FORBIDDEN"]);
  });
});
