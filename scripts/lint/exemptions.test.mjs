import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import plugin from "./exemptions.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

const exempt = (code) => ({ code, errors: [{ messageId: "exempt" }] });

new RuleTester().run("no-size-exemption", plugin.rules["no-size-exemption"], {
  valid: [
    "// Express knows it by max-params.\nf()",
    "// oxlint-disable-next-line no-control-regex -- max-params is not meant\nf()",
    "const text = '// oxlint-disable-next-line max-params'",
  ],
  invalid: [
    exempt("// oxlint-disable-next-line max-params -- a row of a table\nf()"),
    exempt("f() // oxlint-disable-line eslint/max-lines-per-function"),
    exempt("/* eslint-disable no-console, max-lines */\nf()"),
    exempt("/* oxlint-disable complexity -- a table */\nf()"),
  ],
});
