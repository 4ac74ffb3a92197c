export { outcomeOf } from "./testing/outcome-of.ts";
