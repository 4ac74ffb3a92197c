import type { Route, Weakness } from "../route.ts";
import { assistant } from "./assistant.ts";
import { authentication } from "./authentication.ts";
import { dataExposure } from "./data-exposure.ts";
import { encryption } from "./encryption.ts";
import { functionAuthorization } from "./function-authorization.ts";
import { inputExecution } from "./input-execution.ts";
import { inputValidation } from "./input-validation.ts";
import { inventory } from "./inventory.ts";
import { methodAuthorization } from "./method-authorization.ts";
import { objectAuthorization } from "./object-authorization.ts";
import { propertyAuthorization } from "./property-authorization.ts";
import { rateLimiting } from "./rate-limiting.ts";
import { serverSideRequests } from "./server-side-requests.ts";
import { upstreams } from "./upstreams.ts";

export const ROUTES: readonly Route[] = [
  ...authentication,
  ...objectAuthorization,
  ...methodAuthorization,
  ...functionAuthorization,
  ...propertyAuthorization,
  ...inputValidation,
  ...inputExecution,
  ...rateLimiting,
  ...dataExposure,
  ...encryption,
  ...serverSideRequests,
  ...inventory,
  ...upstreams,
  ...assistant,
];

/** All weaknesses of the vulnerable variant with their routes. README.md contains the same list. */
export const WEAKNESSES: readonly (Weakness & { method: string; path: string })[] = ROUTES.flatMap(
  ({ method, path, weaknesses }) => weaknesses.map((weakness) => ({ ...weakness, method, path })),
);
