import { plainName } from "../../names.ts";
import { defineCheck, fail, pass } from "../../engine/check.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { kindOfName, valuesIn } from "../../signatures/sensitive-fields.ts";
import { whereAnswered } from "../../attacks/refusals.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "property-authorization/undeclared-response-fields",
  kind: "passive",
  category: "propertyAuthorization",
  title: "Excessive data exposure: undocumented sensitive fields",
  severity: "medium",
  confidence: "firm",
  description:
    "The response has fields that the document does not list and whose names are internal or personal. They were probably published by mistake, and every client receives them.",
  rule: "A field with a value, of a sensitive name, is in the answer and under no name among the operation's declared fields.",
  control: "None: the document and the answer together are the proof.",
  remediation:
    "Build answers from the declared schema only (a serializer or a view model), and let a test compare answers with the document.",
  references: {
    cwe: 213,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(reads(profile).filter((operation) => declaredNames(operation).size > 0)),
  notApplicable: "No operation that reads declares the fields of its answer.",

  examine: (operation, probe) =>
    whereAnswered(probe, operation, (reply) => {
      const declared = declaredNames(operation);
      const undeclared = valuesIn(reply.json)
        .filter(({ name, value }) => isSensitive(name, value) && !declared.has(plainName(name)))
        .map(({ path }) => path);
      if (undeclared.length === 0) return pass();
      return fail(`Not declared, and in the answer: ${[...new Set(undeclared)].slice(0, 8).join(", ")}.`);
    }),
});

const declaredNames = ({ facts }: Operation): Set<string> =>
  new Set(
    facts.responses
      .filter(({ status }) => status.startsWith("2") || status === "default")
      .flatMap(({ fields }) => fields.map(({ name }) => plainName(name))),
  );

const isSensitive = (name: string, value: unknown): boolean =>
  value !== null &&
  value !== "" &&
  (kindOfName(name) !== undefined ||
    INTERNAL.test(plainName(name)) ||
    personalFields({ [name]: value }).intimate.length > 0);

const INTERNAL =
  /^(isadmin|issuperuser|isstaff|internal(notes?|comments?|id)|adminnotes?|privatenotes?|creditscore|riskscore|failedlogins|lastloginip)$/;
