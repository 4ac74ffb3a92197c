export { ROUTES, WEAKNESSES } from "./areas/index.ts";
export type { Account } from "./accounts.ts";
export { type DemoCertificates, createDemoCertificates } from "./certificate-authority.ts";
export { ensureDemoCertificates } from "./certificates.ts";
export { type Demo, type DemoOptions, startDemo } from "./demo.ts";
export type { Variant, Weakness } from "./route.ts";
