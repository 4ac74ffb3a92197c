import type { Probe } from "../engine/probe.ts";
import { isSuccess } from "../oracles/classify.ts";
import { reads, spread } from "./subjects.ts";

/** Open lists that are read for names. */
const MAX_LISTS = 16;

/** Names or e-mail addresses of users in public responses, the first of each list; at most `max`. */
export async function shownUsers(probe: Probe, form: "name" | "address", max: number): Promise<string[]> {
  const shown = new Set<string>();
  const lists = spread(reads(probe.profile).filter(({ facts }) => !facts.path.includes("{")));
  for (const read of lists.slice(0, MAX_LISTS)) {
    const response = await probe.baseline(read.request());
    if (!isSuccess(response)) continue;
    for (const [, name] of response.body.slice(0, 65_536).matchAll(FORMS[form])) shown.add(name!);
    if (shown.size >= max) break;
  }
  return [...shown].slice(0, max);
}

const FORMS = {
  address: /"([\w.+-]{1,40}@[\w.-]{3,60})"/g,
  name: /"(?:user_?name|login)"\s{0,5}:\s{0,5}"([\w.-]{2,40})"/gi,
};

/** The subject of a forged token: a user in public responses, or else the common administrator name. */
export async function likelySubject(probe: Probe): Promise<string> {
  const [name] = await shownUsers(probe, "name", 1);
  if (name !== undefined) return name;
  const [address] = await shownUsers(probe, "address", 1);
  return address ?? "admin";
}
