/**
 * The twelve risk classes of a scan, in the order of the specification ("Category keys (exact)").
 * Order matters: findings of equal severity are sorted by it.
 */
export const CATEGORIES = {
  authentication: { title: "Authentication", owasp: "API2:2023" },
  bolaAuthorization: { title: "Object-level authorization", owasp: "API1:2023" },
  bflaAuthorization: { title: "Function-level authorization", owasp: "API5:2023" },
  propertyAuthorization: { title: "Property-level authorization", owasp: "API3:2023" },
  inputValidation: { title: "Input validation", owasp: "API8:2023" },
  rateLimiting: { title: "Rate limiting", owasp: "API4:2023" },
  dataExposure: { title: "Data exposure", owasp: "API8:2023" },
  encryption: { title: "Encryption", owasp: "API8:2023" },
  ssrf: { title: "Server-side request forgery", owasp: "API7:2023" },
  inventoryManagement: { title: "Inventory management", owasp: "API9:2023" },
  unsafeConsumption: { title: "Unsafe consumption of APIs", owasp: "API10:2023" },
  llmSecurity: { title: "LLM security", owasp: "LLM Top 10:2026" },
} as const;

export type Category = keyof typeof CATEGORIES;

export const CATEGORY_KEYS = Object.keys(CATEGORIES) as [Category, ...Category[]];
