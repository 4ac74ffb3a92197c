import type { Check } from "../../engine/check.ts";
import cors from "./cors.ts";
import databaseError from "./database-error.ts";
import { dataExposures } from "./exposures/index.ts";
import internalAddresses from "./internal-addresses.ts";
import pathDisclosure from "./path-disclosure.ts";
import personalDataLists from "./personal-data-lists.ts";
import secretsInAnswers from "./secrets-in-answers.ts";
import sensitiveAnswersCacheable from "./sensitive-answers-cacheable.ts";
import sourceMap from "./source-map.ts";
import stackTrace from "./stack-trace.ts";
import traceEnabled from "./trace-enabled.ts";
import versionDisclosure from "./version-disclosure.ts";
import personalDataAsUser from "./personal-data-as-user.ts";
import serviceSecretsAsUser from "./service-secrets-as-user.ts";

export const dataExposureChecks: readonly Check[] = [
  secretsInAnswers,
  personalDataLists,
  personalDataAsUser,
  serviceSecretsAsUser,
  stackTrace,
  databaseError,
  pathDisclosure,
  cors,
  sensitiveAnswersCacheable,
  sourceMap,
  internalAddresses,
  traceEnabled,
  versionDisclosure,
  ...dataExposures,
];
