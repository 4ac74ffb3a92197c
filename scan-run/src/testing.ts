export { watchEventLoop } from "./testing/event-loop.ts";
export { outcomeOf } from "./testing/outcome-of.ts";
