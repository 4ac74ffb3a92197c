import type { Location } from "@glovebox/contract";
import type { Subject, TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { wordsOf } from "../names.ts";
import { isDenied, isSuccess } from "../oracles/classify.ts";
import { OF_SESSION, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { sentAnonymously, sentAs } from "./roles.ts";
import { guardedReads } from "./subjects.ts";

/** An identity that signs in, as a subject: its sessions can be examined without those that the scan uses. */
export interface SessionSubject extends Subject {
  readonly identity: string;
  readonly signInUrls: readonly string[];
}

export const NO_SIGN_IN = "No identity of the scan says how it signs in.";

/** The first identity that signs in: those of one API get the same kind of session. */
export function signedInSubjects(
  { sessions, target }: TargetProfile,
  of: (identity: TargetProfile["sessions"]["identities"][number]) => boolean = () => true,
): readonly SessionSubject[] {
  const identity = sessions.identities.find(of);
  if (!identity) return [];
  const { name, signInUrls } = identity;
  return [{ identity: name, signInUrls, location: locationOf("POST", signInUrls[0] ?? target.href) }];
}

export const locationOf = (method: string, url: string): Location => ({
  method,
  path: new URL(url).pathname,
});

/** Reads that are tried. */
const MAX_READS = 10;

/** As controls: a read that is refused without credentials, and that the session of this caller may do. */
export async function readBehindSignIn(
  probe: Probe,
  caller: string,
): Promise<
  | { readonly operation: Operation; readonly request: ProbeRequest; readonly response: ProbeResponse }
  | undefined
> {
  const withoutId = guardedReads(probe.profile).toSorted(
    (one, other) => Number(one.idParameter !== undefined) - Number(other.idParameter !== undefined),
  );
  for (const operation of withoutId.slice(0, MAX_READS)) {
    const request = await probe.withRealIds(operation);
    if (!isDenied(await probe.control(sentAnonymously(request)))) continue;
    // Never from the cache, and not into it: what comes later must be a new response.
    const response = await probe.again(sentAs(request, caller));
    if (isSuccess(response)) return { operation, request, response };
  }
  return undefined;
}

/** Sign-outs that are tried. */
const MAX_SIGN_OUTS = 4;

/**
 * Requests that may sign out, as this caller: those that a document or discovery knows by their name, then those beside the sign-in.
 * Sign-outs of all sessions of a user are left out.
 */
export function signOutsOf(
  { operations, neverCalled }: Pick<TargetProfile, "operations" | "neverCalled">,
  { signInUrls }: Pick<SessionSubject, "signInUrls">,
  caller: string,
): ProbeRequest[] {
  const known = [...neverCalled, ...operations]
    .filter(({ facts }) => signsOut(facts))
    .map((operation) => {
      const content = operation.facts.body?.sample;
      return operation.request({ form: OF_SESSION, ...(content !== undefined && { content }) });
    });
  const requests = known.length > 0 ? known : signInUrls.flatMap(besideSignIn);
  return requests.slice(0, MAX_SIGN_OUTS).map((request) => sentAs(request, caller));
}

/** True for an operation that by its name ends the session of the caller. Pure. @internal */
export function signsOut({
  method,
  path,
  operationId = "",
}: Pick<OperationFacts, "method" | "path" | "operationId">): boolean {
  const named = [path.split("/").at(-1) ?? "", operationId].map((name) => wordsOf(name).join(" "));
  if (named.some((name) => EVERYWHERE.test(name))) return false;
  return (
    named.some((name) => SIGN_OUT.test(name)) ||
    (method === "DELETE" &&
      /\/(sessions?|session\/(me|current)|sessions\/(me|current)|tokens?\/current)\/?$/i.test(path))
  );
}

const SIGN_OUT = /\b(log ?out|sign ?out|log ?off|sign ?off|end ?session)\b/;
const EVERYWHERE = /\b(all|every\w*|others?|devices|users?)\b|all$/;

const IN_TO_OUT: readonly (readonly [RegExp, string])[] = [
  [/log([-_]?)in$/i, "log$1out"],
  [/sign([-_]?)in$/i, "sign$1out"],
  [/authenticate$/i, "logout"],
];

/** The addresses at which an API with this sign-in most often signs out. */
function besideSignIn(url: string): ProbeRequest[] {
  const own = IN_TO_OUT.filter(([form]) => form.test(url)).map(([form, out]) => ({
    method: "POST",
    url: url.replace(form, out),
  }));
  const requests =
    own.length > 0
      ? own
      : [
          { method: "DELETE", url },
          { method: "POST", url: `${url}/logout` },
        ];
  return requests.map((request) => ({ ...request, form: OF_SESSION }));
}
