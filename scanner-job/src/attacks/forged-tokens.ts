import { fail, pass, type Subject, type Verdict, type TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isDenied, isSuccess } from "../oracles/classify.ts";
import { isBearer, presentableSchemes, presenting } from "./credentials.ts";
import { whereRefused } from "./refusals.ts";
import { guardedReads } from "./subjects.ts";

/** A JSON Web Token (RFC 7519) of the given header and claims; the signature is taken as it is. */
export function jsonWebToken(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  signature: string = "",
): string {
  return `${encoded({ typ: "JWT", ...header })}.${encoded(claims)}.${signature}`;
}

/** Claims that satisfy most verifiers but for the signature; valid until 2100, as no clock is asked. */
export const plausibleClaims = (subject: string): Readonly<Record<string, unknown>> => ({
  sub: subject,
  exp: 4_102_444_800,
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A read that asks for a bearer token, and the kinds of forgery that are tried at it. */
export interface ForgeryTarget extends Subject {
  readonly operation: Operation;
  readonly kinds: readonly string[];
}

export interface Forgery {
  /** What it is, after "A token". */
  readonly label: string;
  readonly token: string;
}

/** One verifier serves most operations: all kinds are tried at the first few, the commonest at the others. */
const TRIED_AT_ALL = 3;

/** Reads that ask for bearer tokens; `kinds` of forgery, the commonest first. */
export function forgeryTargets(profile: TargetProfile, kinds: readonly string[]): readonly ForgeryTarget[] {
  if (!presentableSchemes(profile.document?.securitySchemes).some(isBearer)) return [];
  return guardedReads(profile).map((operation, place) => ({
    operation,
    location: operation.location,
    kinds: place < TRIED_AT_ALL ? kinds : kinds.slice(0, 1),
  }));
}

/** Whether one of the forgeries gets past a refusal that `unbelievable`, a like token that nobody should take, does not. */
export const examineForgeries = (
  probe: Probe,
  operation: Operation,
  { forgeries, unbelievable }: { forgeries: readonly Forgery[]; unbelievable: string },
): Promise<Verdict> =>
  whereRefused(probe, operation, async ({ request }) => {
    const scheme = presentableSchemes(probe.profile.document?.securitySchemes).find(isBearer)!;
    for (const { label, token } of forgeries) {
      const reply = await probe.attack(presenting(request, scheme, token));
      if (!isSuccess(reply)) continue;
      // Without this refusal a success would only say that any token will do.
      const control = await probe.control(presenting(request, scheme, unbelievable));
      return isDenied(control) ? fail(`A token ${label} was answered with ${reply.status}.`) : pass();
    }
    return pass();
  });
