/** Weaknesses of the whole host. The demo documents them at a route, the scanner reports them at the root path. */
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

/** True findings that the demo documents in another category or at another route, each with the reason; without a route at any. */
export const ALSO_TRUE: Readonly<Record<string, string>> = {
  "authentication/declared-but-not-enforced GET /v1/models":
    "documented as llmSecurity: the list requires no token",
  "authentication/declared-but-not-enforced GET /v2/patients":
    "documented as bolaAuthorization: no token is required",
  "authentication/declared-but-not-enforced GET /v2/patients-export":
    "documented as inventoryManagement: no token is required, contrary to the OpenAPI document",
  "bfla-authorization/anonymous-admin-operation GET /v2/config":
    "documented as dataExposure: no token is required, contrary to the OpenAPI document",
  "bfla-authorization/anonymous-admin-operation GET /v2/internal/debug":
    "documented as inventoryManagement: no token is required",
  "bfla-authorization/method-override GET /v2/records/{}":
    "documented at /v2/invoices/{invoiceId}: the header is effective on every path",
  "property-authorization/sensitive-fields-anonymous GET /v1/patients":
    "the previous version of /v2/patients",
  "property-authorization/sensitive-fields-anonymous GET /v2/patients":
    "documented as dataExposure: the list contains social security numbers",
  "property-authorization/undeclared-response-fields GET /v2/patients":
    "documented at /v2/patients/{patientId}: the list also contains `ssn`",
  "data-exposure/personal-data-lists GET /v1/patients": "the previous version of /v2/patients",
  "data-exposure/trace-enabled TRACE /": "of the whole host: every path accepts TRACE",
  "data-exposure/cors": "documented at /v2/config: every response has the header",
  "data-exposure/secrets-in-answers GET /v2/doctors/{}":
    "noted as propertyAuthorization: the selection of fields shows the password hash",
  "data-exposure/secrets-in-answers GET /v2/pictures/preview":
    "noted as ssrf: it fetches /v2/doctors, which has password hashes",
  "data-exposure/secrets-in-answers POST /v2/webhooks/test":
    "noted as ssrf: it fetches /v2/doctors, which has password hashes",
  "data-exposure/database-error GET /v2/medicines":
    "documented as inputValidation: the error of the database is in the response",
  "data-exposure/stack-trace POST /v2/sessions": "the response to a body that is not JSON has a trace",
  "data-exposure/stack-trace GET /v2/medicines":
    "noted at /v2/medicines/{medicineId}: every fault has a trace",
  "data-exposure/stack-trace POST /v2/letters/preview": "the response to a body that is not JSON has a trace",
  "data-exposure/stack-trace POST /v2/webhooks/test": "the response to a body that is not JSON has a trace",
  "data-exposure/internal-addresses GET /v2/insurance/{}":
    "documented as unsafeConsumption: the response contains the private address of the upstream",
  "unsafe-consumption/docs-scripts-without-integrity GET /docs":
    "documented as inventoryManagement: the page loads an outdated third-party script",
};

/** Weaknesses that are not reported at their route and category, each with the reason. */
export const NOT_SEEN: Readonly<Record<string, string>> = {
  "authentication POST /v2/password-resets": "a reset for a name that exists would send mail",
  "authentication GET /v2/sessions/current": "it takes a session, and the scan is given none",
  "bolaAuthorization GET /v2/patients": "reported as a list of personal data without credentials",
  "bolaAuthorization PATCH /v2/patients/{}": "reported as mass assignment; the write itself is not sent",
  "bolaAuthorization PUT /v2/records/{}":
    "reported at GET of the path, whose methods are guarded differently",
  "bolaAuthorization PATCH /v2/records/{}": "reported at GET of the path",
  "bolaAuthorization DELETE /v2/records/{}": "reported at GET of the path",
  "bflaAuthorization POST /v2/appointments": "all that is sent there is a body that must be refused",
  "propertyAuthorization POST /v2/feedback": "the write is not sent",
  "unsafeConsumption GET /v2/pictures/preview": "reported as server-side request forgery",
  "inventoryManagement GET /v1/staff": "reported as an authorization bypass at /v2/staff",
  "bflaAuthorization GET /v1/staff": "reported at /v2/staff, which refuses what /v1/staff allows",
  "unsafeConsumption POST /v2/payments": "the write is not sent",
  "unsafeConsumption POST /v2/webhooks/payments": "the write is not sent",
  "inventoryManagement POST /mcp": "reported as an MCP server without authentication",
};

/** Category and route without the names of path parameters: `dataExposure GET /v2/patients/{}`. */
export const routeOf = (finding: { category: string; method: string; path: string }): string =>
  `${finding.category} ${finding.method} ${finding.path.replaceAll(/\{[^}]*\}/g, "{}")}`;
