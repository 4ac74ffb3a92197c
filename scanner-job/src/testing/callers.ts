import type { IdentityInput } from "@glovebox/contract";
import type { FakeResponse, Incoming, Route } from "./fake-api.ts";

/** Identities of tests: an administrator, and users. */
export const ROOT: IdentityInput = identity("root", { role: "admin" });
export const ANN: IdentityInput = identity("ann");
export const BEN: IdentityInput = identity("ben");
export const ROOT_AND_ANN = [ROOT, ANN] as const;

function identity(name: string, more: Partial<IdentityInput> = {}): IdentityInput {
  return { name, headers: { authorization: `Bearer token-of-${name}` }, ...more };
}

/** The identity that sent the request; undefined without one. */
export const callerIn = ({ headers }: Incoming): string | undefined =>
  /^Bearer token-of-(\w+)$/.exec(headers.authorization ?? "")?.[1];

const UNAUTHORIZED: FakeResponse = { status: 401, json: { error: "Unauthorized" } };
const FORBIDDEN: FakeResponse = { status: 403, json: { error: "Forbidden" } };

/** A route that asks for credentials. */
export const signedIn =
  (route: Route): Route =>
  (incoming) =>
    callerIn(incoming) === undefined ? UNAUTHORIZED : typeof route === "function" ? route(incoming) : route;

/** A route that only administrators may call. */
export const adminOnly = (route: Route): Route =>
  signedIn((incoming) =>
    callerIn(incoming) !== "root" ? FORBIDDEN : typeof route === "function" ? route(incoming) : route,
  );
