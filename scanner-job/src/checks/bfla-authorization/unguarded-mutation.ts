import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type Overrides,
  type Verdict,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { impactOfWrite } from "../../attacks/impact.ts";
import { examineGraphql } from "../../attacks/graphql.ts";
import { theHost } from "../../attacks/subjects.ts";
import { graphqlMutations, INTROSPECTION } from "../../inventory/graphql/queries.ts";
import { graphqlData, graphqlRequest } from "../../inventory/graphql/request.ts";
import { impossibleId, Operation, type Parameter } from "../../inventory/operation.ts";
import { bodyPathOf } from "../../inventory/serialization.ts";
import { isObject, listMember, textMember, withMember } from "../../json.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import { MALFORMED, NO_OBJECT, type ProbeResponse } from "../../transport/exchange.ts";

/** Mutations that are tried. */
const MAX_MUTATIONS = 3;

export default defineCheck({
  id: "bfla-authorization/unguarded-mutation",
  kind: "differential",
  category: "bflaAuthorization",
  title: "GraphQL mutations without authentication",
  severity: "high",
  confidence: "tentative",
  description:
    "A mutation that changes or deletes an object looks it up without authenticating the caller. An unauthenticated attacker who knows an ID can change or delete the object.",
  rule: "A mutation for a nonexistent object is executed: it reports that the object does not exist, or returns an empty result, without requiring credentials, twice with different IDs. Critical where it changes, promotes or deletes users.",
  control: "A nonexistent mutation is rejected by query validation.",
  remediation:
    "Check in each resolver, or in one central component, that the caller is authenticated and may perform the mutation on this object.",
  references: {
    cwe: 306,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  examine: (_, probe) =>
    examineGraphql(probe, async ({ url }) => {
      const response = await probe.baseline(graphqlRequest(url, INTROSPECTION));
      const unclear = withoutMeaning(response);
      if (unclear) return inconclusive(unclear);
      const schema = graphqlData(response.json)[0]?.["__schema"];
      if (schema === undefined) return inconclusive("The endpoint does not reveal its mutations.");
      const candidates = candidatesIn(schema, url);
      if (candidates.length === 0)
        return notApplicable("No mutation of the schema changes or deletes an object by its ID.");
      const control = await probe.control({
        ...graphqlRequest(url, `mutation{${probe.nonce()}}`),
        form: MALFORMED,
      });
      if (isExecuted(control))
        return inconclusive("A nonexistent mutation got the response of an existing one.");
      return examineAll(candidates, probe);
    }),
});

interface Candidate {
  readonly operation: Operation;
  readonly id: Parameter;
}

/** Those that by their name change or delete one object, which an argument names. */
function candidatesIn(schema: unknown, url: string): readonly Candidate[] {
  const { origin, pathname } = new URL(url);
  return graphqlMutations(schema, pathname)
    .filter(
      ({ graphqlField = "" }) => CHANGES.test(graphqlField) && !/all|every|bulk|many/i.test(graphqlField),
    )
    .flatMap((facts) => {
      const id = facts.parameters.find(({ name, required }) => required && /\.(\w+_?)?id$/i.test(name));
      const own = facts.parameters.find(({ name }) => /^\w+\.id$/i.test(name));
      const named = own ?? id;
      return named ? [{ operation: new Operation(origin, facts), id: named }] : [];
    })
    .slice(0, MAX_MUTATIONS);
}

const CHANGES = /^(update|edit|modify|change|rename|delete|remove)(?!.*password)/i;

async function examineAll(candidates: readonly Candidate[], probe: Probe): Promise<Verdict> {
  for (const candidate of candidates) {
    const responses = [await probe.attack(requestFor(candidate)), await probe.attack(requestFor(candidate))];
    if (responses.every(isExecuted))
      return fail(
        `${candidate.operation.facts.graphqlField} looked up an object without authenticating the caller.`,
        { location: candidate.operation.location, ...gravityOf(candidate) },
      );
  }
  return pass();
}

/** Anyone who may change, promote or delete users owns the API. */
const gravityOf = ({ operation: { facts } }: Candidate): Overrides =>
  impactOfWrite(facts, [])?.severity === "critical" ? { severity: "critical", confidence: "firm" } : {};

const requestFor = ({ operation, id }: Candidate) => {
  const path = bodyPathOf(id);
  const value = impossibleId(id.type === "string" ? { type: "integer" } : id);
  return operation.request({
    content: withMember(operation.facts.body?.sample, path, id.type === "string" ? value : Number(value)),
    form: NO_OBJECT,
  });
};

/** The resolver ran and found nothing: an object or a value came back, or an error that says so, and none about the caller. */
function isExecuted({ json, body, status }: ProbeResponse): boolean {
  if (status >= 500 || status === 405 || REFUSES.test(body.slice(0, 8_192))) return false;
  const errors = listMember(json, "errors", 20).map((error) => textMember(error, "message", 500) ?? "");
  if (errors.length > 0) return errors.some((message) => FINDS_NOTHING.test(message));
  const [data] = graphqlData(json);
  return (
    data !== undefined && Object.values(data).some((value) => isObject(value) || typeof value === "boolean")
  );
}

const FINDS_NOTHING =
  /not found|(does not|doesn't|did not) exist|no such|no \w+ (with|found|exists)|could not (find|be found)|NoneType|of (null|undefined)/i;
const REFUSES =
  /unauth|not auth|credential|permission|forbidden|denied|log ?in|sign ?in|token|not allowed|must be (logged|signed)|session/i;
