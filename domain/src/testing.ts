export { WHOLLY_TESTED, found } from "./testing/found.ts";
export { growthOfSteps, regexpSteps } from "./testing/regexp-steps.ts";
export { instanceAt, locationOf, reportOf } from "./testing/reports.ts";
