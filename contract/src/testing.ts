export { watchEventLoop } from "./testing/event-loop.ts";
export { outcomeOf } from "./testing/outcome-of.ts";
export { WHOLLY_TESTED, found } from "./testing/found.ts";
export { instanceAt, locationOf, reportOf } from "./testing/reports.ts";
