import { inputName } from "@glovebox/contract";
import * as z from "zod";
import type { Session, Store } from "@glovebox/store";
import type { ApiRequest } from "../http/request-context.ts";

/** What a navigation gets: another address, or the page, for an account or for none. */
export type Navigation = { readonly location: string } | { readonly accountId: string | undefined };

export interface NavigationDeps {
  readonly accounts: Pick<Store["accounts"], "find" | "findById">;
  readonly selectAccount: Store["sessions"]["selectAccount"];
}

/** `/a/payments/findings`: the account, by its name or its id. */
const ACCOUNT_PATH = /^\/a\/([^/]+)(?:\/|$)/;

/**
 * What a navigation of this session leads to. A path without an account, such as a link of an earlier release, leads to the same
 * page of the account that the user opened last. An account that does not exist and one that the user may not see give the page
 * without an account, which says so.
 */
export async function navigationOf(
  req: Pick<ApiRequest, "path" | "originalUrl">,
  session: Session,
  deps: NavigationDeps,
): Promise<Navigation> {
  const segment = ACCOUNT_PATH.exec(req.path)?.[1];
  if (segment === undefined) {
    const name = await lastAccountName(session, deps);
    return name === undefined
      ? { accountId: undefined }
      : { location: `${accountPath(name)}${onThisHost(req.originalUrl)}` };
  }
  const accountId = await accountNamed(decoded(segment), session, deps);
  if (accountId !== undefined && accountId !== session.accountId)
    await deps.selectAccount(session.sessionId, accountId);
  return { accountId };
}

/** A path that begins with two slashes would be read as another host. */
const onThisHost = (url: string): string => url.replace(/^\/+/, "/");

const accountPath = (name: string): string => `/a/${encodeURIComponent(name)}`;

async function lastAccountName(
  { accountId, memberships }: Session,
  { accounts }: NavigationDeps,
): Promise<string | undefined> {
  if (accountId === null) return undefined;
  const own = memberships.find((each) => each.accountId === accountId);
  const name = own?.accountName ?? (await accounts.findById(accountId))?.name;
  return name === "." || name === ".." ? accountId : name; // browsers take these for folders
}

async function accountNamed(
  name: string,
  { memberships, user }: Session,
  { accounts }: NavigationDeps,
): Promise<string | undefined> {
  const own = memberships.find(({ accountId, accountName }) => accountName === name || accountId === name);
  if (own || !user.isAdministrator || !inputName.safeParse(name).success) return own?.accountId;
  const isId = z.uuid().safeParse(name).success;
  return (await accounts.find(name))?.id ?? (isId ? (await accounts.findById(name))?.id : undefined);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
