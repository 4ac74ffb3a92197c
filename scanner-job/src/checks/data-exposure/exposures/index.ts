import type { Check } from "../../../engine/check.ts";
import { backupExposures } from "./backups.ts";
import { buildExposures } from "./build.ts";
import { credentialExposures } from "./credentials.ts";
import { datastoreExposures } from "./datastores.ts";
import { environmentExposures } from "./environment.ts";
import { frameworkExposures } from "./frameworks.ts";
import { javaExposures } from "./java.ts";
import { logExposures } from "./logs.ts";
import { modelExposures } from "./models.ts";
import { operationExposures } from "./operations.ts";
import { runtimeExposures } from "./runtimes.ts";
import { springExposures } from "./spring.ts";
import { statusExposures } from "./status.ts";
import { versionControlExposures } from "./version-control.ts";

/** Every row of every table, each a check. */
export const dataExposures: readonly Check[] = [
  ...environmentExposures,
  ...credentialExposures,
  ...versionControlExposures,
  ...backupExposures,
  ...logExposures,
  ...springExposures,
  ...javaExposures,
  ...frameworkExposures,
  ...runtimeExposures,
  ...statusExposures,
  ...buildExposures,
  ...datastoreExposures,
  ...operationExposures,
  ...modelExposures,
];
