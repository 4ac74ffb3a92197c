import type { Category, ScanContext } from "@glovebox/contract";

/** Weight of each category in the overall score, for an API of no particular context. */
export const WEIGHTS: Record<Category, number> = {
  authentication: 14,
  bolaAuthorization: 14,
  bflaAuthorization: 12,
  propertyAuthorization: 8,
  inputValidation: 10,
  rateLimiting: 6,
  dataExposure: 10,
  encryption: 10,
  ssrf: 6,
  inventoryManagement: 4,
  unsafeConsumption: 3,
  llmSecurity: 12,
};

/** Multipliers of a context for these weights; 1 by default. */
export const CONTEXT_MULTIPLIERS: Record<ScanContext, Partial<Record<Category, number>>> = {
  public: {},
  financial: {
    authentication: 1.3,
    bolaAuthorization: 1.4,
    bflaAuthorization: 1.3,
    propertyAuthorization: 1.3,
    rateLimiting: 1.5,
  },
  medical: { dataExposure: 1.6, bolaAuthorization: 1.4, propertyAuthorization: 1.4, encryption: 1.4 },
  internal: { inventoryManagement: 0.4, rateLimiting: 0.6, ssrf: 1.4 },
};

/** The weight of a category in the overall score of a scan. */
export const weightOf = (category: Category, context: ScanContext | undefined): number =>
  WEIGHTS[category] * ((context && CONTEXT_MULTIPLIERS[context][category]) ?? 1);
