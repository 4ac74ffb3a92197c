import type { Row } from "./clinic.ts";
import { notFound, ok } from "./reply.ts";
import type { Call, Reply } from "./route.ts";

export const ownedBy = (call: Call) => (row: Row) => row.owner === call.account?.id;
export const orNotFound = (row: Row | undefined): Reply => (row ? ok(row) : notFound());

export function anyone(rows: Row[], call: Call, parameter = "patientId"): Row | undefined {
  return rows.find(({ id }) => String(id) === call.params[parameter]);
}

export function owned(rows: Row[], call: Call, parameter = "patientId"): Row | undefined {
  return anyone(rows.filter(ownedBy(call)), call, parameter);
}
