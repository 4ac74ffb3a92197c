import { SEVERITIES } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { found } from "@glovebox/domain/testing";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { CHECKS } from "../checks/index.ts";
import { described, type Detected } from "./detected.ts";
import { ROOT_CAUSES, byRootCause } from "./root-causes.ts";

const EXPOSURE = "exposed-*";

/** `"high confirmed input-validation/sql-error GET /things id"` */
function seen(text: string): Detected {
  const [severity, confidence, check = "", method = "", path = "", parameter] = text.split(" ");
  const location = { method, path, ...(parameter !== undefined && { parameter }) };
  const observed = `Seen at ${path}.`;
  const { description: _, ...finding } = found(`${severity} ${confidence}`, { check, location });
  return { ...finding, observed, explanation: "General." };
}

const locationsIn = (finding: Detected): string[] =>
  instancesOf(finding).map(({ check, location: { method, path, parameter = "" } }) =>
    `${check.split("/")[1]} ${method} ${path} ${parameter}`.trim(),
  );

test("the table names only checks that exist, and each under one cause", () => {
  const named = ROOT_CAUSES.flatMap(({ checks }) => checks);
  expect(named.filter((id) => id !== EXPOSURE && !CHECKS.some((check) => check.id === id))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

describe("byRootCause", () => {
  it.each<[string, string[], Record<string, string[]>]>([
    [
      "makes one finding of what one check sees at several locations, the worst first",
      ["low firm encryption/weak-cipher GET / RC4", "high firm encryption/weak-cipher GET / export"],
      { "encryption/weak-cipher": ["weak-cipher GET / export", "weak-cipher GET / RC4"] },
    ],
    [
      "keeps what different checks see at one location apart where they have no cause in common",
      ["low firm encryption/hsts GET /", "low firm data-exposure/cors GET /"],
      { "encryption/hsts": ["hsts GET /"], "data-exposure/cors": ["cors GET /"] },
    ],
    [
      "makes one finding of two proofs of one injection",
      [
        "high confirmed input-validation/sql-error GET /a q",
        "critical confirmed input-validation/sql-boolean GET /a q",
      ],
      { "input-validation/sql-boolean": ["sql-boolean GET /a q", "sql-error GET /a q"] },
    ],
    [
      "makes one finding of a file and the credentials in it, named by the file",
      [
        "critical confirmed data-exposure/secrets-in-answers GET /.env",
        "critical confirmed data-exposure/exposed-environment-file GET /.env",
      ],
      {
        "data-exposure/exposed-environment-file": [
          "exposed-environment-file GET /.env",
          "secrets-in-answers GET /.env",
        ],
      },
    ],
    [
      "takes an injection that only one of them proves, elsewhere, into the same finding",
      [
        "high confirmed input-validation/sql-error GET /b id",
        "critical confirmed input-validation/sql-boolean GET /a q",
      ],
      { "input-validation/sql-boolean": ["sql-boolean GET /a q", "sql-error GET /b id"] },
    ],
    [
      "makes one finding of an unprotected operation, under the check that names the cause",
      [
        "high confirmed authentication/declared-but-not-enforced GET /users",
        "critical firm property-authorization/sensitive-fields-anonymous GET /users",
        "high confirmed data-exposure/personal-data-lists GET /users",
        "medium firm property-authorization/undeclared-response-fields GET /users",
      ],
      {
        "authentication/declared-but-not-enforced": [
          "declared-but-not-enforced GET /users",
          "sensitive-fields-anonymous GET /users",
          "personal-data-lists GET /users",
          "undeclared-response-fields GET /users",
        ],
      },
    ],
    [
      "lists an object that anybody can read under object-level authorization, regardless of how its fields are rated",
      [
        "critical firm property-authorization/sensitive-fields-anonymous GET /users/{id}",
        "high confirmed bola-authorization/anonymous-object-read GET /users/{id}",
      ],
      {
        "bola-authorization/anonymous-object-read": [
          "anonymous-object-read GET /users/{id}",
          "sensitive-fields-anonymous GET /users/{id}",
        ],
      },
    ],
    [
      "makes one finding of one missing guard, and keeps files and injections apart",
      [
        "high confirmed authentication/missing-authentication GET /users",
        "critical firm property-authorization/sensitive-fields-anonymous GET /users",
        "high confirmed bfla-authorization/anonymous-admin-operation GET /admin/jobs",
        "high confirmed data-exposure/exposed-environment-file GET /.env",
        "critical confirmed input-validation/sql-boolean GET /users q",
      ],
      {
        "authentication/missing-authentication": [
          "missing-authentication GET /users",
          "sensitive-fields-anonymous GET /users",
          "anonymous-admin-operation GET /admin/jobs",
        ],
        "data-exposure/exposed-environment-file": ["exposed-environment-file GET /.env"],
        "input-validation/sql-boolean": ["sql-boolean GET /users q"],
      },
    ],
    [
      "takes no finding into the one of an API that only reads what is public",
      [
        "info confirmed authentication/missing-authentication GET /",
        "high confirmed data-exposure/secrets-in-answers GET /",
      ],
      {
        "authentication/missing-authentication": ["missing-authentication GET /"],
        "data-exposure/secrets-in-answers": ["secrets-in-answers GET /"],
      },
    ],
    [
      "prefers access to an object where two are equally severe",
      [
        "high confirmed authentication/declared-but-not-enforced GET /users/{id}",
        "high confirmed bola-authorization/anonymous-object-read GET /users/{id}",
        "high confirmed authentication/declared-but-not-enforced GET /orders",
      ],
      {
        "bola-authorization/anonymous-object-read": [
          "anonymous-object-read GET /users/{id}",
          "declared-but-not-enforced GET /users/{id}",
        ],
        "authentication/declared-but-not-enforced": ["declared-but-not-enforced GET /orders"],
      },
    ],
    [
      "keeps the worst of what a check saw twice at one location",
      ["low firm data-exposure/cors GET /", "high firm data-exposure/cors GET /"],
      { "data-exposure/cors": ["cors GET /"] },
    ],
  ])("%s", (_, texts, expected) => {
    const findings = byRootCause(texts.map(seen));
    expect(Object.fromEntries(findings.map((finding) => [finding.check, locationsIn(finding)]))).toEqual(
      expected,
    );
    for (const finding of findings) {
      const worst = instancesOf(finding).map(({ severity }) => SEVERITIES.indexOf(severity));
      expect(SEVERITIES.indexOf(finding.severity)).toBe(Math.min(...worst));
    }
  });

  it("names the other categories of its locations, and has the severity and the confidence of the worst", () => {
    const [finding] = byRootCause([
      {
        ...seen("high confirmed authentication/declared-but-not-enforced GET /users"),
        category: "authentication",
      },
      {
        ...seen("critical firm property-authorization/sensitive-fields-anonymous GET /users"),
        category: "propertyAuthorization",
      },
    ]);
    expect(finding).toMatchObject({
      category: "authentication",
      severity: "critical",
      confidence: "firm",
      alsoAffects: ["propertyAuthorization"],
    });
  });

  it("describes the first observation, the number of locations, and then the general rule", () => {
    const [one] = byRootCause([seen("low firm data-exposure/cors GET /a")]);
    const [two] = byRootCause(["/a", "/b"].map((path) => seen(`low firm data-exposure/cors GET ${path}`)));
    expect(described(one!).description).toBe("Seen at /a. General.");
    expect(described(two!).description).toBe(
      "Seen at /a. Seen at 2 locations, of which this is the first. General.",
    );
  });

  it("gives a weakness the id that it had at fewer locations, and each location its own id", () => {
    const [before] = byRootCause([seen("low firm data-exposure/cors GET /b")]);
    const [after] = byRootCause(["/a", "/b"].map((path) => seen(`low firm data-exposure/cors GET ${path}`)));
    expect(after!.id).toBe(before!.id);
    expect(instancesOf(after!)[1]!.id).toBe(instancesOf(before!)[0]!.id);
  });

  it("loses no location, regardless of what was seen, and does not depend on the order", () => {
    const checks = [...ROOT_CAUSES.flatMap((cause) => cause.checks), "encryption/hsts", "data-exposure/cors"];
    const any = fc
      .record({
        severity: fc.constantFrom(...SEVERITIES),
        check: fc.constantFrom(...checks),
        path: fc.constantFrom("/a", "/b"),
        parameter: fc.constantFrom("q", "id"),
      })
      .map(({ severity, check, path, parameter }) =>
        seen(`${severity} firm ${check} GET ${path} ${parameter}`),
      );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), (all) => {
        const findings = byRootCause(all);
        const locations = findings.flatMap(instancesOf).map(({ id }) => id);
        expect(new Set(locations).size).toBe(locations.length);
        expect(new Set(locations)).toEqual(new Set(all.flatMap(instancesOf).map(({ id }) => id)));
        const summary = (list: Detected[]) =>
          Object.fromEntries(list.map((each) => [each.id, locationsIn(each)]));
        expect(summary(byRootCause(all.toReversed()))).toEqual(summary(findings));
      }),
    );
  });
});
