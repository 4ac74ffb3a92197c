import { ANONYMOUS } from "@glovebox/contract";
import type { TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isDenied, isSuccess } from "../oracles/classify.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import { isAdministrative } from "./purpose.ts";
import { guardedReads } from "./subjects.ts";

/** Names of two callers, of whom one may do more. */
export interface Roles {
  readonly admin: string;
  readonly user: string;
}

/** An administrator and a plain user of the scan; undefined where it lacks one of them. */
export function rolesOf({ callers }: Pick<TargetProfile, "callers">): Roles | undefined {
  const named = (role: string) => callers.find((caller) => caller.role === role)?.name;
  const [admin, user] = [named("admin"), named("user")];
  return admin !== undefined && user !== undefined ? { admin, user } : undefined;
}

/** The names of the plain users of the scan. */
export const usersOf = ({ callers }: Pick<TargetProfile, "callers">): readonly string[] =>
  callers.filter(({ role }) => role === "user").map(({ name }) => name);

/** The request as somebody else sends it. */
export const sentAs = (request: ProbeRequest, as: string): ProbeRequest => ({ ...request, as });

/** The request without credentials. */
export const sentAnonymously = (request: ProbeRequest): ProbeRequest => sentAs(request, ANONYMOUS);

/** Reads that are asked for one that only the administrator may do. */
const MAX_ASKED = 8;

/** As a control: another read that the administrator may do and the user may not. It shows that the API enforces roles. */
export async function readRefusedTo(
  probe: Probe,
  { admin, user }: Roles,
  except: Operation,
): Promise<Operation | undefined> {
  const others = guardedReads(probe.profile).filter((operation) => operation !== except);
  const asked = others.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, MAX_ASKED);
  for (const operation of asked) {
    const request = await probe.withRealIds(operation);
    if (!isDenied(await probe.control(sentAs(request, user)))) continue;
    if (isSuccess(await probe.control(sentAs(request, admin)))) return operation;
  }
  return undefined;
}

/** Those for administrators first, and those without an id, which nobody owns. */
const rankOf = ({ facts, idParameter }: Operation): number =>
  Number(!isAdministrative(facts)) * 2 + Number(idParameter !== undefined);
