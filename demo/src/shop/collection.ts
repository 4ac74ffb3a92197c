import { randomUUID } from "node:crypto";
import { empty, invalid, json, notFound, objectIn, ok } from "../response.ts";
import type { Parameter, RouteResponse, Schema } from "../route.ts";
import { type Rule, findFor, isAnybody, isOwn, only, visibleTo } from "./rows.ts";
import {
  type ShopCall,
  type ShopHandle,
  type ShopRoute,
  type ShopWeakness,
  TEXT,
  UUID,
  both,
  listOf,
  objectOf,
} from "./route.ts";
import type { Shop } from "./shop.ts";
import type { Tables } from "./seed.ts";

type Access = "list" | "create" | "read" | "change" | "remove";

/** Objects of one kind, which users create, list, read, change and delete. */
export interface Collection {
  table: keyof Tables;
  /** `/v2/orders`; one object is below it, at its id. */
  path: string;
  parameter: string;
  /** `order`, in summaries. */
  noun: string;
  tag: string;
  id?: Schema;
  /** What callers write; everything else in a row is set here. */
  fields: Record<string, Schema>;
  /** Fields that are returned, and that callers do not write. */
  returned?: Record<string, Schema>;
  /** These fields of a new row. */
  initial?: (call: ShopCall, shop: Shop) => object;
  /** Who sees a row, and who writes it. Default: its owner and the administrator. */
  sees?: Rule;
  edits?: Rule;
  /** Operations whose vulnerable variant allows what `allows` says; anybody by default. */
  weaknesses?: Partial<Record<Exclude<Access, "list">, ShopWeakness>>;
  /** What is wrong with a new row; the vulnerable variant does not ask where it has a weakness. */
  problem?: (fields: Record<string, unknown>) => string | undefined;
  allows?: Rule;
  traps?: Partial<Record<Access, string[]>>;
}

/** The five routes of a collection. */
export const collection = (of: Collection): ShopRoute[] => [...routesOfAll(of), ...routesOfOne(of)];

function routesOfAll(of: Collection): ShopRoute[] {
  const { path, noun, tag, sees = isOwn } = of;
  return [
    {
      method: "GET",
      path,
      access: "user",
      operation: { summary: `List ${noun}s`, tag, responds: listOf(of.table, shown(of)) },
      ...judged(of, "list"),
      ...both((call, shop) => ok({ [of.table]: visibleTo(call, shop.tables[of.table], sees) })),
    },
    {
      method: "POST",
      path,
      access: "user",
      operation: { summary: `Create ${noun}`, tag, body: objectOf(of.fields), responds: shown(of) },
      ...judged(of, "create"),
      vulnerable: created(of, of.weaknesses?.create ? undefined : of.problem),
      hardened: created(of, of.problem),
    },
  ];
}

function routesOfOne(of: Collection): ShopRoute[] {
  const { noun, tag, fields, sees = isOwn, edits = isOwn } = of;
  const path = `${of.path}/{${of.parameter}}`;
  const parameters = [idIn(of.parameter, of.id)];
  return [
    {
      method: "GET",
      path,
      access: "user",
      operation: { summary: `Read ${noun}`, tag, parameters, responds: shown(of) },
      ...judged(of, "read"),
      ...handlers(of, { access: "read", rule: sees, act: (row) => ok(row) }),
    },
    {
      method: "PATCH",
      path,
      access: "user",
      operation: { summary: `Change ${noun}`, tag, parameters, body: objectOf(fields), responds: shown(of) },
      ...judged(of, "change"),
      ...handlers(of, {
        access: "change",
        rule: edits,
        act: (row, call) => ok(Object.assign(row, only(objectIn(call), Object.keys(fields)))),
      }),
    },
    {
      method: "DELETE",
      path,
      access: "user",
      operation: { summary: `Delete ${noun}`, tag, parameters },
      ...judged(of, "remove"),
      ...handlers(of, { access: "remove", rule: edits, act: removeFrom(of.table) }),
    },
  ];
}

export const idIn = (name: string, schema: Schema = UUID): Parameter => ({
  name,
  in: "path",
  required: true,
  schema,
});

const shown = ({ id = UUID, fields, returned }: Collection): Schema =>
  objectOf({ id, owner: UUID, tenant: TEXT, ...fields, ...returned }, ["id"]);

const judged = (
  { weaknesses = {}, traps = {} }: Collection,
  access: Access,
): Pick<ShopRoute, "weaknesses" | "traps"> => {
  const weak = access === "list" ? undefined : weaknesses[access];
  return { weaknesses: weak ? [weak] : [], ...(traps[access] && { traps: traps[access] }) };
};

type Act = (row: Tables[keyof Tables][number], call: ShopCall, shop: Shop) => RouteResponse;

function handlers(
  { table, parameter, weaknesses = {}, allows = isAnybody }: Collection,
  { access, rule, act }: { access: Exclude<Access, "list" | "create">; rule: Rule; act: Act },
): Pick<ShopRoute, "vulnerable" | "hardened"> {
  const handle = (allowed: Rule) => (call: ShopCall, shop: Shop) => {
    const row = findFor(call, { rows: shop.tables[table], id: call.params[parameter], rule: allowed });
    return row ? act(row, call, shop) : notFound();
  };
  return { vulnerable: handle(weaknesses[access] ? allows : rule), hardened: handle(rule) };
}

const created =
  (of: Collection, problemIn: Collection["problem"]): ShopHandle =>
  (call, shop) => {
    const problem = problemIn?.(objectIn(call));
    return problem === undefined ? json(201, create(of, call, shop)) : invalid(problem);
  };

const removeFrom =
  (table: keyof Tables): Act =>
  (row, _call, { tables }) => {
    tables[table].splice(tables[table].indexOf(row), 1);
    return empty(204);
  };

function create(of: Collection, call: ShopCall, shop: Shop): object {
  const rows = shop.tables[of.table];
  const number = Math.max(0, ...rows.map(({ id }) => Number(id))) + 1;
  const row = {
    id: of.id ? number : randomUUID(),
    owner: call.user.id,
    tenant: call.user.tenant,
    ...of.initial?.(call, shop),
    ...only(objectIn(call), Object.keys(of.fields)),
  };
  rows.push(row);
  return row;
}
