import { createObject, readAt } from "../../active/objects.ts";
import { sentBy } from "../../active/other-user.ts";
import { holderIn } from "../../active/accounts.ts";
import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { topLevel } from "../../inventory/sign-in.ts";
import { member, walk } from "../../json.ts";
import { lettersOf } from "../../names.ts";
import { isSuccess } from "../../oracles/classify.ts";
import type { Resource } from "../../sequences/resources.ts";

interface Quantity extends Subject {
  readonly operation: Operation;
  readonly resource: Resource & { readonly read: Operation };
  /** Member of the body. */
  readonly name: string;
}

const NEGATIVE = -3;

export default defineCheck({
  id: "input-validation/negative-quantity",
  kind: "burst",
  active: true,
  category: "inputValidation",
  title: "Negative quantity accepted",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The API stores a negative number where it counts something: an order of minus three articles. An attacker can so lower a total, be paid instead of paying, or raise a stock. The scan created such an object.",
  rule: "An object is created with a negative quantity, and a read shows that number.",
  control: "An object with a quantity that the document allows is created, and a read shows its quantity.",
  remediation:
    "Validate the range of each quantity and amount on the server, and declare it in the schema (`minimum: 1`). Compute totals on the server and reject negative ones.",
  references: {
    cwe: 1284,
    owasp: "API6:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 6,

  subjects: ({ active }) => (active?.resources ?? []).flatMap(quantitiesOf),
  notApplicable: "The scan could create no object with a quantity that an operation returns.",

  async examine({ name, ...subject }, probe) {
    const positive = await shownWith({ subject, members: {} }, probe, probe.control);
    const before = positive.object && member(positive.view, name);
    if (typeof before !== "number" || before < 0)
      return inconclusive("No object could be created whose quantity a read shows.");
    const negative = await shownWith({ subject, members: { [name]: NEGATIVE } }, probe, probe.attack);
    if (!negative.response) return inconclusive("No object could be created.");
    if (member(negative.view, name) !== NEGATIVE) return pass();
    const derived = negativeOnlyIn(negative.view, positive.view, name);
    return fail(`A read shows ${[`${name} ${NEGATIVE}`, ...derived].join(", and ")}.`);
  },
});

/** Members by which something is counted; a temperature or a balance may be negative. */
const COUNTS =
  /^(qty|quantity|quantities|count|units?|pieces|items?count|number(of)?(items|guests|people|persons|seats|tickets|units|pieces|nights|adults|children)|guests|seats|tickets|nights|adults|copies|licen[sc]es|participants|(order|item|product)(quantity|qty))$/;

function quantitiesOf(resource: Resource): Quantity[] {
  const { create, read } = resource;
  if (!create || !read) return [];
  return topLevel(create.facts.body?.fields ?? [])
    .filter(({ type, readOnly }) => (type === "integer" || type === "number") && !readOnly)
    .filter(({ name }) => COUNTS.test(lettersOf(name)))
    .slice(0, 2)
    .map(({ name }) => ({
      operation: create,
      location: create.location,
      resource: { ...resource, read },
      name,
    }));
}

async function shownWith(
  { subject: { resource }, members }: { subject: Pick<Quantity, "resource">; members: object },
  probe: Probe,
  send: Probe["attack"],
) {
  const { owner, journal } = probe.profile.active!;
  const created = await createObject(
    resource,
    { owner, members: { ...members } },
    { journal, ...sentBy(probe), send },
  );
  const shown = created.object && (await probe.again(readAt(resource.read, created.object.path, owner)));
  return { ...created, view: shown && isSuccess(shown) ? holderIn(shown.json) : undefined };
}

/** Other numbers that are negative here only: `total -30`. */
const negativeOnlyIn = (view: unknown, control: unknown, except: string): string[] =>
  [...walk(view, { depth: 1, values: 100 })]
    .filter(({ key, value }) => key !== except && typeof value === "number" && value < 0)
    .filter(({ key }) => Number(member(control, key)) >= 0)
    .map(({ key, value }) => `${key} ${String(value)}`);
