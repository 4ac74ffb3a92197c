import { holderIn } from "../../active/accounts.ts";
import { actionOn, createObject, readAt } from "../../active/objects.ts";
import { sentBy } from "../../active/other-user.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type Subject,
  type TargetProfile,
} from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { objectOf } from "../../json.ts";
import { lettersOf } from "../../names.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { actionsOf } from "../../sequences/actions.ts";
import type { Resource } from "../../sequences/resources.ts";

interface Steps extends Subject {
  /** The later step. */
  readonly operation: Operation;
  readonly earlier: Operation;
  readonly resource: Resource & { readonly read: Operation };
}

export default defineCheck({
  id: "bfla-authorization/skipped-step",
  kind: "burst",
  active: true,
  category: "bflaAuthorization",
  title: "Workflow step can be skipped",
  severity: "high",
  confidence: "firm",
  description:
    "An operation does not check the state of the object: a later step of a workflow succeeds without an earlier one, as a delivery without a payment. The scan took the later step with an object that it created.",
  rule: "The later step, taken with a new object, leads to the same state as it does after the earlier one, which a read of the object shows.",
  control:
    "With another new object, the earlier step leads to a state in between, and the later one then succeeds.",
  remediation:
    "Keep the state on the server, and let each operation check that the object is in a state from which it may proceed.",
  references: {
    cwe: 841,
    owasp: "API6:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 10,

  subjects: stepsOf,
  notApplicable:
    "No operations take an object that the scan can create and read through steps of a workflow.",

  async examine({ operation, earlier, resource }, probe) {
    const skipping = await newRun(resource, probe);
    if (!skipping) return inconclusive("No object with a state could be created and read back.");
    const attacked = await skipping.take(operation, probe.attack);
    const regular = await newRun(resource, probe);
    const between = regular && (await regular.take(earlier, probe.control));
    if (!between?.isAccepted || between.state === skipping.first)
      return inconclusive("The earlier step was refused, or does not change the state.");
    const after = await regular!.take(operation, probe.control);
    if (!after.isAccepted || after.state === between.state)
      return inconclusive("The later step was refused after the earlier one, or does not change the state.");
    if (!attacked.isAccepted || attacked.state !== after.state) return pass();
    const { path } = earlier.location;
    return fail(
      `Without POST ${path}, the object went from ${skipping.first} to ${attacked.state}; with it, by ${between.state}.`,
    );
  },
});

const EARLIER = /^(pay|checkout|authori[sz]e|approve|verify|review|sign|confirm)$/;
const LATER =
  /^(ship|dispatch|deliver|fulfil|fulfill|complete|publish|release|issue|activate|collect|finish|finali[sz]e)$/;

function stepsOf({ active, operations }: TargetProfile): Steps[] {
  return (active?.resources ?? []).flatMap(({ create, read, ...resource }) => {
    if (!create || !read) return [];
    const whole = { ...resource, create, read };
    const actions = actionsOf(operations, whole);
    const earlier = actions.find(({ verb }) => EARLIER.test(verb));
    if (!earlier) return [];
    return actions
      .filter(({ verb }) => LATER.test(verb))
      .map(({ operation }) => ({
        operation,
        location: operation.location,
        earlier: earlier.operation,
        resource: whole,
      }));
  });
}

/** A new object, and the steps that are taken with it; undefined where it cannot be created, or shows no state. */
async function newRun(resource: Steps["resource"], probe: Probe) {
  const { owner, journal } = probe.profile.active!;
  const { object } = await createObject(resource, { owner }, { journal, ...sentBy(probe) });
  if (!object) return undefined;
  const state = async () => stateIn((await probe.again(readAt(resource.read, object.path, owner))).json);
  const first = await state();
  if (first === undefined) return undefined;
  return {
    first,
    async take(step: Operation, send: Probe["attack"]) {
      const request = actionOn(object, step, { as: owner, own: journal.own });
      const response = request && (await send(request));
      return { isAccepted: response !== undefined && isSuccess(response), state: await state() };
    },
  };
}

/** As text: `status: "open"`. Undefined where nothing tells it. */
function stateIn(json: unknown): string | undefined {
  const found = Object.entries(objectOf(holderIn(json))).find(
    ([name, value]) => typeof value === "string" && STATE.test(lettersOf(name)),
  );
  return found && `${found[0]} ${JSON.stringify(found[1])}`;
}

const STATE = /^(\w*status|\w*state|phase|stage|step)$/;
