import type { Row } from "./clinic.ts";
import { notFound, ok } from "./response.ts";
import type { Call, RouteResponse } from "./route.ts";

export const ownedBy = (call: Call) => (row: Row) => row.owner === call.account?.id;
export const orNotFound = (row: Row | undefined): RouteResponse => (row ? ok(row) : notFound());

export function findRow(rows: Row[], call: Call, parameter = "patientId"): Row | undefined {
  return rows.find(({ id }) => String(id) === call.params[parameter]);
}

export function findOwnRow(rows: Row[], call: Call, parameter = "patientId"): Row | undefined {
  return findRow(rows.filter(ownedBy(call)), call, parameter);
}
