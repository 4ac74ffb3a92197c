import type { Check } from "../../engine/check.ts";
import deprecatedOperationAlive from "./deprecated-operation-alive.ts";
import documentedButAbsent from "./documented-but-absent.ts";
import { consoleExposures } from "./exposures/consoles.ts";
import graphqlIntrospection from "./graphql-introspection.ts";
import graphqlSuggestions from "./graphql-suggestions.ts";
import guessableOperation from "./guessable-operation.ts";
import nonProductionServers from "./non-production-servers.ts";
import oldVersionAlive from "./old-version-alive.ts";
import otherVirtualHost from "./other-virtual-host.ts";
import publicDocument from "./public-document.ts";
import undocumentedOperation from "./undocumented-operation.ts";
import undocumentedResponse from "./undocumented-response.ts";

export const inventoryManagementChecks: readonly Check[] = [
  oldVersionAlive,
  deprecatedOperationAlive,
  undocumentedOperation,
  guessableOperation,
  documentedButAbsent,
  graphqlIntrospection,
  graphqlSuggestions,
  nonProductionServers,
  otherVirtualHost,
  publicDocument,
  undocumentedResponse,
  ...consoleExposures,
];
