import { ApiError } from "@glovebox/contract";
import * as z from "zod";

const accountId = z.uuid("must be the id of an account");

/** The query of a route that is about an account. */
export const accountQuery = z.strictObject({ account: accountId });

/**
 * The id of the account that a request is about: the parameter `account` of its query. It is part of every call, not of the
 * session, so that two tabs on two accounts cannot act in each other's.
 * @throws ApiError `invalid_request` when it is not an id, or occurs twice
 */
export function accountIdOf(url: string): string | undefined {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const given = new URLSearchParams(query).getAll("account");
  if (given.length > 1) throw new ApiError("invalid_request", "occurs more than once", { field: "account" });
  const [id] = given;
  if (id !== undefined && !accountId.safeParse(id).success)
    throw new ApiError("invalid_request", "must be the id of an account", { field: "account" });
  return id;
}
