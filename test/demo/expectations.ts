/** Weaknesses of the whole host: the demo notes them where a person sees them first, the scanner at the host's root. */
export const HOST_WIDE: ReadonlySet<string> = new Set([
  "authentication GET /",
  "dataExposure GET /v2/config",
  "encryption GET /",
  "encryption GET /openapi.json",
  "inventoryManagement GET /openapi.json",
  "rateLimiting GET /health",
  "ssrf GET /latest/meta-data/",
  "unsafeConsumption GET /.well-known/openid-configuration",
]);

/** Findings where the demo notes nothing of that category, each true, with the reason. */
export const ALSO_TRUE: Readonly<Record<string, string>> = {
  "authentication/declared-but-not-enforced GET /v1/models":
    "noted as llmSecurity: the list asks for no token",
  "authentication/declared-but-not-enforced GET /v2/patients":
    "noted as bolaAuthorization: no token is asked for",
  "authentication/declared-but-not-enforced GET /v2/patients-export":
    "noted as inventoryManagement: it answers without the token that the document demands",
  "bola-authorization/method-differential GET /v2/records/{}":
    "noted at the PUT, PATCH and DELETE of the path; the finding is at the read that is refused",
  "bfla-authorization/anonymous-admin-operation GET /v2/config":
    "noted as dataExposure: the configuration is given without the token that the document demands",
  "bfla-authorization/anonymous-admin-operation GET /v2/internal/debug":
    "noted as inventoryManagement: it answers anybody",
  "bfla-authorization/method-override GET /v2/records/{}":
    "noted at /v2/invoices/{invoiceId}: the header is obeyed on every path",
  "bfla-authorization/version-downgrade GET /v2/staff": "noted at the other end, /v1/staff",
  "property-authorization/sensitive-fields-anonymous GET /v1/patients": "the first version of /v2/patients",
  "property-authorization/sensitive-fields-anonymous GET /v2/patients":
    "noted as dataExposure: the list shows social security numbers",
  "property-authorization/undeclared-response-fields GET /v2/patients":
    "noted at /v2/patients/{patientId}: the list has `ssn` too",
  "data-exposure/personal-data-lists GET /v1/patients": "the first version of /v2/patients",
  "data-exposure/cors GET /v2/appointments": "noted at /v2/config: every answer has the header",
  "data-exposure/internal-addresses GET /v2/insurance/{}":
    "noted as unsafeConsumption: the upstream's private address is in the body",
  "unsafe-consumption/docs-scripts-without-integrity GET /docs":
    "noted as inventoryManagement: the page loads an old script from elsewhere",
};
