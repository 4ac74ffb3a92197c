import { keysOf } from "../parts/words.ts";
import { id, oneOf, searchOf } from "../url/search-state.ts";

/** What was changed, by the beginning of the action. */
export const AREAS = {
  account: "Account",
  key: "API keys",
  member: "Members",
  scan: "Scans",
  finding: "Findings",
  schedule: "Schedules",
  webhook: "Webhooks",
  user: "Users",
  session: "Sign-ins",
  invitation: "Accepted invitations",
} as const;

/** The filter of the audit log, and its page: the entries older than one. */
export const auditSearch = searchOf({
  accounts: oneOf(["all", "own"]),
  area: oneOf(keysOf(AREAS)),
  olderThan: id,
});
