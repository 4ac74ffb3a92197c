export { watchEventLoop } from "./testing/event-loop.ts";
export { outcomeOf } from "./testing/outcome-of.ts";
export { WHOLLY_TESTED } from "./testing/found.ts";
