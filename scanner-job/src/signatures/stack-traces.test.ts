import { describe, expect, it } from "vitest";
import { stackTraceIn } from "./stack-traces.ts";

describe("stackTraceIn", () => {
  it.each([
    ["Java", "java.lang.NumberFormatException\n\tat com.acme.Users.find(Users.java:42)"],
    [".NET", "   at Acme.Users.Find(Int32 id) in C:\\src\\Users.cs:line 12"],
    ["Node.js", "TypeError: x\n    at find (/srv/app/users.js:10:5)"],
    ["Node.js", "TypeError: x\n    at file:///srv/app/users.js:10:5"],
    ["Node.js", JSON.stringify({ stack: "Error: x\n    at async Users.find (/srv/users.ts:1:2)" })],
    ["Python", 'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in find'],
    ["PHP", "<b>Fatal error</b>: Uncaught Error in <b>/var/www/a.php</b> on line <b>3</b>"],
    ["Ruby", "app/models/user.rb:12:in `find'"],
    ["Go", "goroutine 7 [running]:\nmain.find()"],
    ["Rust", "thread 'main' panicked at src/main.rs:4:10"],
  ])("knows a trace of %s", (writer, text) => {
    expect(stackTraceIn(text)).toBe(writer);
  });

  it.each([
    "Meet us at the clinic (main entrance) at 10:30",
    '{"error": "id must be a number"}',
    "The file users.java was not found",
    "at /v2/users:1",
  ])("takes ordinary words for none: %s", (text) => {
    expect(stackTraceIn(text)).toBeUndefined();
  });
});
