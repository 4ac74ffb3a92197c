export { WHOLLY_TESTED, found } from "./testing/found.ts";
export { instanceAt, locationOf, reportOf } from "./testing/reports.ts";
