/** Where something is, whatever its parameters are called: `dataExposure GET /v2/patients/{}`. */
export const routeOf = (place: { category: string; method: string; path: string }): string =>
  `${place.category} ${place.method} ${place.path.replaceAll(/\{[^}]*\}/g, "{}")}`;
