import { plainName } from "../../names.ts";
import { defineCheck, fail, pass } from "../../engine/check.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { kindOfName, valuesIn } from "../../signatures/sensitive-fields.ts";
import { whereHandled } from "../../attacks/refusals.ts";
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
    "The response contains undocumented fields with internal or personal names. They are probably exposed by mistake, and every client receives them.",
  rule: "The response contains a field with a value and a sensitive name that is missing in the declared fields of the operation.",
  control: "None: the document and the response together are the proof.",
  remediation:
    "Build responses only from the declared schema (a serializer or view model), and test that responses match the document.",
  references: {
    cwe: 213,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(reads(profile).filter((operation) => declaredNames(operation).size > 0)),
  notApplicable: "No read operation declares its response fields.",

  examine: (operation, probe) =>
    whereHandled(probe, operation, (response) => {
      const declared = declaredNames(operation);
      const undeclared = valuesIn(response.json)
        .filter(({ name, value }) => isSensitive(name, value) && !declared.has(plainName(name)))
        .map(({ path }) => path);
      if (undeclared.length === 0) return pass();
      return fail(`Undeclared fields in the response: ${[...new Set(undeclared)].slice(0, 8).join(", ")}.`);
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
