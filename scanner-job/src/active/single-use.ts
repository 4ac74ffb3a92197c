import type { Subject, TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { objectOf, pathOf, walk } from "../json.ts";
import { lettersOf } from "../names.ts";
import { isSuccess } from "../oracles/classify.ts";
import { actionsOf } from "../sequences/actions.ts";
import type { Resource } from "../sequences/resources.ts";
import { IN_PARALLEL, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { holderIn } from "./accounts.ts";
import { actionOn, createObject, readAt } from "./objects.ts";
import { sentBy } from "./other-user.ts";

/** An action that uses up an object which the scan can create and read: `POST /vouchers/{voucherId}/redeem`. */
export interface SingleUse extends Subject {
  readonly operation: Operation;
  readonly resource: Resource & { readonly read: Operation };
  /** What may show the benefit: reads of the caller's account. */
  readonly benefits: readonly Operation[];
}

const USES_UP = /^(redeem|claim|use|consume|apply|activate|accept|collect|cash|spend|exchange|convert)$/;
const ACCOUNT = /\/(me|self|myself|whoami|profile|account|balance|wallet|credits?|points|rewards)\/?$/i;
const MAX_BENEFITS = 3;

/** The actions that by their name use something up. */
export function singleUses({ active, operations }: TargetProfile): SingleUse[] {
  const benefits = operations
    .filter(({ facts, location }) => facts.method === "GET" && ACCOUNT.test(location.path))
    .filter(({ location }) => !location.path.includes("{"))
    .slice(0, MAX_BENEFITS);
  return (active?.resources ?? []).flatMap(({ create, read, ...rest }) => {
    if (!create || !read || benefits.length === 0) return [];
    const resource = { ...rest, create, read };
    return actionsOf(operations, resource)
      .filter(({ verb }) => USES_UP.test(verb))
      .map(({ operation }) => ({ operation, location: operation.location, resource, benefits }));
  });
}

/** Numbers by operation and path: `GET /me credit` → 5. */
export type Numbers = ReadonlyMap<string, number>;

/** A new object that may be used once, for one examination. */
export interface Use {
  /** What the account of the owner counts now. @throws NetworkError */
  readonly count: () => Promise<Numbers>;
  /** Members by which the object says that it is used: `status "redeemed"`. @throws NetworkError */
  readonly marks: () => Promise<ReadonlyMap<string, unknown>>;
  readonly request: ProbeRequest;
  /** The same, to be sent with others at the same time. */
  readonly parallel: ProbeRequest;
}

/** Undefined where the object cannot be created and read, or its use needs more. @throws NetworkError */
export async function newUse(
  { operation, resource, benefits }: SingleUse,
  probe: Probe,
): Promise<Use | undefined> {
  const { owner: as, journal } = probe.profile.active!;
  const { object } = await createObject(resource, { owner: as }, { journal, ...sentBy(probe) });
  const request = object && actionOn(object, operation, { as, own: journal.own });
  if (!object || !request) return undefined;
  return {
    request,
    parallel: { ...request, form: IN_PARALLEL },
    async count() {
      const numbers = new Map<string, number>();
      for (const read of benefits)
        for (const [path, value] of numbersIn(await probe.again({ ...read.request(), as })))
          numbers.set(`${path} of ${read.location.path}`, value);
      return numbers;
    },
    async marks() {
      const { json } = await probe.again(readAt(resource.read, object.path, as));
      return new Map(
        Object.entries(objectOf(holderIn(json))).filter(([name]) => MARKS.test(lettersOf(name))),
      );
    },
  };
}

const MARKS =
  /^(\w*status|\w*state|(is)?(used|redeemed|claimed|consumed|applied|activated|accepted|collected|spent|active|valid)|(used|redeemed|claimed|consumed|applied|activated|accepted|collected|spent)(at|on|by|date|time)|(uses|remaining|uses?left|remaininguses))$/;

const numbersIn = (response: ProbeResponse): [string, number][] =>
  isSuccess(response)
    ? [...walk(response.json, { depth: 4, values: 300 })].flatMap((node): [string, number][] =>
        typeof node.value === "number" ? [[pathOf(node), node.value]] : [],
      )
    : [];

/** What each number grew or shrank by, of those that changed. Pure. */
export const changesOf = (before: Numbers, after: Numbers): Numbers =>
  new Map(
    [...after].flatMap(([name, value]): [string, number][] => {
      const by = value - (before.get(name) ?? Number.NaN);
      return Number.isFinite(by) && by !== 0 ? [[name, by]] : [];
    }),
  );

/** True where the object tells something else after its use. Pure. */
export const areDifferent = (
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): boolean => JSON.stringify([...before]) !== JSON.stringify([...after]);
