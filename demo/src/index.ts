export { type DemoCertificates, createDemoCertificates } from "./certificate-authority.ts";
export { ensureDemoCertificates } from "./certificates.ts";
