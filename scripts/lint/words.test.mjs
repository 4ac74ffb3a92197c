import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import plugin from "./words.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

const translated = (code) => ({ code, errors: [{ messageId: "idiom" }] });

new RuleTester().run("idiom", plugin.rules.idiom, {
  valid: [
    'fail("id: not found")',
    'fail("The host has no address.")',
    'fail("There is no index with this name.")',
    'fail("The scan is no longer kept.")',
    'prompt("Answer questions about opening hours only.")',
    'const key = "answer"',
    'describe("Ranges of indices into the report\'s `places`")',
    'html(`<ul class="places"><li>${location}</li></ul>`)',
    'html(`<input type="hidden" name="answer" value="" />`)',
    "sql(`select * from found where title = ${text} and place is not null`)",
    "sql(`insert into provider_answers (sha256, answer) values (${hash}, ${text})`)",
    'columns("f.id, f.title, f.place")',
    "// Whatever the target answers.",
  ],
  invalid: [
    translated('fail("id: is no finding of this account")'),
    translated("fail(`${path} is no file.`)"),
    translated('describe("So many runs are listed.")'),
    translated('describe("All scans, whatever their status")'),
    translated('describe("Deliveries are signed with the old secret, too.")'),
    translated('describe("Message of the condition, with that of the API server")'),
    translated('describe("Each run starts later, by chance.")'),
    translated('fail("The scan was erased.")'),
    translated('fail("The target did not answer in time.")'),
    translated("fail(`The target ${name} answered ${status}.`)"),
    translated('describe("Every place of the finding")'),
    translated('describe("422 in place of 401")'),
    translated('describe("An account of its own")'),
  ],
});
