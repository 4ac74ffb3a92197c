import { testExposures } from "../../../testing/test-exposures.ts";
import { logExposures } from "./logs.ts";

const times = (line: string): string => `${line}\n`.repeat(4);

testExposures(logExposures, {
  "access-log": [
    times('10.0.0.1 - - [22/Nov/2026:10:00:00 +0000] "GET /a?b HTTP/1.1" 200 12'),
    times("10.0.0.1 visited us"),
  ],
  "application-log": [times("2026-11-22 10:00:00 INFO Started"), times("2026-11-22 a calendar entry")],
  "error-log": [times("2026/11/22 10:00:00 [error] 7#7: *1 open() failed"), times("[note] nothing failed")],
  "laravel-log": ["[2026-11-22 10:00:00] local.ERROR: no\n", "[2026-11-22 10:00:00] a note\n"],
  "rails-log": ['Started GET "/" for 10.0.0.1\nProcessing by A#b\n', "Started\n"],
  "npm-log": ["0 info it worked if it ends with ok\n", "it worked\n"],
  "wordpress-log": ["[22-Nov-2026 10:00:00 UTC] PHP Warning:  a\n", "[22-Nov-2026] PHP meeting\n"],
});
