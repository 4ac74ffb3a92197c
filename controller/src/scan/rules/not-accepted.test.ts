import type { ScanSpec } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { FAILED, RECONCILING } from "../testing/plans.ts";
import { scanResource, world } from "../testing/worlds.ts";

const absent = { row: { state: "absent" } } as const;
const withSpec = (spec: ScanSpec) => world({ ...absent, scan: { ...scanResource(), spec } });

describe("a scan that is not on record", () => {
  test("is adopted first", () => {
    expect(decide(world(absent))).toEqual({ rule: "adopt", actions: [{ do: "adopt" }], decideAgain: true });
  });

  test.each(["AccountMissing", "AccountNotAllowed", "UnknownAccount", "QuotaExhausted"] as const)(
    "and is refused for %s ends with that condition and no Job",
    (refused) => {
      const { actions } = decide(world({ ...absent, answers: { adoption: { refused, message: "Why." } } }));
      expect(actions).toHaveLength(1);
      expect(actions[0]).toMatchObject({
        do: "patchStatus",
        status: {
          phase: "Failed",
          finishedAt: expect.any(String),
          conditions: [{ type: "Accepted", status: "False", reason: refused, message: "Why." }, ...FAILED],
        },
      });
    },
  );

  test.each<[string, ScanSpec, string]>([
    ["an address that is no address", { url: "https://" }, "url: is not a valid URL"],
    ["a user name in it", { url: "https://a@b.example/" }, "url: must not carry a user name or password"],
    [
      "a document over HTTP",
      { url: "https://b.example/", specUrl: "http://b.example/" },
      "specUrl: must be HTTPS",
    ],
  ])("and has %s is refused by name of the field before anybody is charged", (_, spec, message) => {
    expect(decide(withSpec(spec)).actions).toMatchObject([
      { do: "patchStatus", status: { conditions: [{ reason: "InvalidTarget", message }, ...FAILED] } },
    ]);
  });
});

test("a scan that the API put on record is accepted without being charged again", () => {
  const { actions } = decide(world({ slot: "waiting" }));
  expect(actions[0]).toMatchObject({
    do: "patchStatus",
    status: { conditions: [{ type: "Accepted", status: "True", reason: "Charged" }, {}, RECONCILING] },
  });
});
