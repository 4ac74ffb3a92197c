import type { Row } from "../row.ts";
import { authenticationRows } from "./authentication.ts";
import { authorizationRows } from "./authorization.ts";
import { dataExposureRows } from "./data-exposure.ts";
import { encryptionRows } from "./encryption.ts";
import { falseAlarmRows } from "./false-alarms.ts";
import { graphqlRows } from "./graphql.ts";
import { hostRows } from "./hosts.ts";
import { inputValidationRows } from "./input-validation.ts";
import { interpreterRows } from "./interpreters.ts";
import { inventoryRows } from "./inventory.ts";
import { limitRows } from "./limits-and-upstreams.ts";
import { modelRows } from "./model.ts";
import { openApiRows } from "./open-apis.ts";
import { serverSideRequestRows } from "./server-side-requests.ts";
import { unusualControlRows } from "./unusual-controls.ts";

/** Every labelled weakness. Together they are one API, a town library's, except for the weaknesses of a whole host. */
export const ROWS: readonly Row[] = [
  ...authenticationRows,
  ...authorizationRows,
  ...inputValidationRows,
  ...interpreterRows,
  ...dataExposureRows,
  ...serverSideRequestRows,
  ...inventoryRows,
  ...graphqlRows,
  ...limitRows,
  ...falseAlarmRows,
  ...modelRows,
  ...unusualControlRows,
  ...hostRows,
  ...openApiRows,
  ...encryptionRows,
];
