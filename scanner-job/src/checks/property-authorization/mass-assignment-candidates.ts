import { isPrivileged } from "../../attacks/privileged-members.ts";
import { defineCheck, fail, pass, type Subject, type TargetProfile } from "../../engine/check.ts";
import type { Operation } from "../../inventory/operation.ts";

interface Write extends Subject {
  readonly operation: Operation;
  readonly candidates: readonly string[];
}

export default defineCheck({
  id: "property-authorization/mass-assignment-candidates",
  kind: "passive",
  category: "propertyAuthorization",
  title: "Mass assignment (candidate)",
  severity: "info",
  confidence: "tentative",
  description:
    "The document shows fields that control privileges, money or state, and a write to the same resource does not rule them out. If the server binds all submitted fields, an attacker can become an administrator or change a balance. This was not tested with a write.",
  rule: "A field with such a name is read-only, or returned by a read and not declared for the write, and the write's schema allows undeclared fields.",
  control: "None: the document itself is the proof.",
  remediation:
    "Bind only the fields that the operation declares, set `additionalProperties: false` in its schema, and test that read-only fields cannot be changed.",
  references: { cwe: 915, owasp: "API3:2023" },

  subjects: (profile) =>
    profile.operations.filter(takesObject).map((operation) => writeOf(profile, operation)),
  notApplicable: "No write operation declares the fields of its body.",

  async examine({ operation, candidates }) {
    if (candidates.length === 0) return pass();
    const pointer = `${operation.pointer}/requestBody`;
    return fail(`Candidates: ${candidates.slice(0, 8).join(", ")}.`, { pointer });
  },
});

const takesObject = ({ facts }: Operation): boolean =>
  ["POST", "PUT", "PATCH"].includes(facts.method) && (facts.body?.fields.length ?? 0) > 0;

function writeOf(profile: TargetProfile, operation: Operation): Write {
  const body = operation.facts.body!;
  const taken = new Set(body.fields.filter(({ readOnly }) => !readOnly).map(({ name }) => name));
  const shown = profile.operations
    .filter(
      ({ facts }) => facts.method === "GET" && resourceOf(facts.path) === resourceOf(operation.facts.path),
    )
    .flatMap(({ facts }) => facts.responses.flatMap(({ fields }) => fields));
  const names = [...body.fields.filter(({ readOnly }) => readOnly), ...shown]
    .map(({ name }) => name)
    .filter((name) => !taken.has(name) && isPrivileged(name));
  return { operation, location: operation.location, candidates: body.closed ? [] : [...new Set(names)] };
}

/** `/users` and `/users/{id}` are of one resource. */
const resourceOf = (path: string): string => path.replace(/\/\{[^{}]+\}\/?$/, "").replace(/\/+$/, "");
