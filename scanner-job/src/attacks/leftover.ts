import type { Severity } from "@glovebox/contract";
import { readOf, type ProbeRequest, type Reply } from "../transport/exchange.ts";
import { fail, inconclusive, pass, type Subject, type Verdict, type TargetProfile } from "../engine/check.ts";
import { withoutMeaning } from "../oracles/classify.ts";
import type { Probe } from "../engine/probe.ts";
import { alike } from "../oracles/similarity.ts";

/** Something that is served and was not meant to be, and how its content is known. */
export interface Leftover {
  /** Below the root; with `below: "base"` below the API's base path. */
  readonly path: string;
  readonly below?: "base";
  readonly what: string;
  readonly severity: Severity;
  /** A page in HTML is none of it, unless it says so. */
  readonly isPage?: true;
  readonly holds: (reply: Reply) => boolean;
}

export interface LeftoverSubject extends Subject {
  readonly leftover: Leftover;
  readonly request: ProbeRequest;
}

/** One subject for each address; those below the base path only where there is one. */
export function leftoverSubjects(
  { target }: Pick<TargetProfile, "target">,
  leftovers: readonly Leftover[],
): LeftoverSubject[] {
  const base = target.pathname.replace(/\/+$/, "");
  const addresses = leftovers.flatMap((leftover) => [
    { leftover, path: leftover.path },
    ...(leftover.below === "base" && base !== "" ? [{ leftover, path: base + leftover.path }] : []),
  ]);
  return addresses.map(({ leftover, path }) => ({
    leftover,
    location: { method: "GET", path },
    request: readOf(target.origin + path),
  }));
}

/** Known by content, and by the same request for a random path being answered differently. */
export async function examineLeftover(
  { leftover, request }: LeftoverSubject,
  probe: Probe,
): Promise<Verdict> {
  const reply = await probe.attack(request);
  const unclear = withoutMeaning(reply);
  if (unclear) return inconclusive(unclear);
  if (reply.status !== 200 || isPage(reply) !== (leftover.isPage ?? false) || !leftover.holds(reply))
    return pass();

  const missing = await probe.missing(request);
  if (alike(reply, missing) || (missing.status === 200 && leftover.holds(missing)))
    return inconclusive("A random path that does not exist is answered in the same way.");
  return fail(`This is ${leftover.what}.`, { severity: leftover.severity });
}

/** True for HTML, whatever the answer calls itself. */
const isPage = (reply: Reply): boolean =>
  reply.mediaType === "text/html" || /^\s*<(!doctype html|html|head|body)\b/i.test(reply.body.slice(0, 500));
