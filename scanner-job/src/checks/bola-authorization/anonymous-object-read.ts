import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isDenied, isSuccess } from "../../engine/judge.ts";
import { alike } from "../../engine/similarity.ts";
import { objectReads } from "../../engine/subjects.ts";

export default defineCheck({
  id: "bola-authorization/anonymous-object-read",
  category: "bolaAuthorization",
  title: "Objects can be read without credentials",
  severity: { default: "high", medical: "critical" },
  confidence: "confirmed",
  description:
    "An operation that the API says needs credentials returns single objects to a caller who has none.",
  rule: "The object of a real id is returned, an id that cannot exist is not, and the two answers differ.",
  control: "The same request with an id of the same type that cannot exist.",
  remediation:
    "Check on every request that the caller may see this very object, before it is loaded; answer 401 or 404.",
  references: { cwe: 639, owasp: "API1:2023" },

  subjects: (survey) => objectReads(survey).filter(({ facts }) => facts.security === "required"),
  notApplicable: "No operation that reads an object by its id declares that it needs credentials.",

  async examine(operation, probe) {
    const [id] = await probe.idsFor(operation);
    if (id === undefined) return inconclusive("No id of an existing object was found.");

    const none = await probe.control(operation.requestForNoObject());
    if (isDenied(none)) return pass();
    const object = await probe.attack(operation.request({ path: { [operation.idParameter!.name]: id } }));
    if (isDenied(object)) return pass();
    if (isSuccess(none)) return inconclusive("An id that cannot exist is answered like one that does.");
    return isSuccess(object) && !alike(object, none)
      ? fail(`Object ${id} was returned to an anonymous caller.`)
      : pass();
  },
});
