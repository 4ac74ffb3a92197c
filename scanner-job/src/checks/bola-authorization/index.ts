import type { Check } from "../../engine/check.ts";
import alteredIdRead from "./altered-id-read.ts";
import anonymousObjectRead from "./anonymous-object-read.ts";
import existenceOracle from "./existence-oracle.ts";
import graphqlAnonymousData from "./graphql-anonymous-data.ts";
import idWrapping from "./id-wrapping.ts";
import methodDifferential from "./method-differential.ts";
import objectChange from "./object-change.ts";
import objectDeletion from "./object-deletion.ts";
import personalObject from "./personal-object.ts";
import predictableIds from "./predictable-ids.ts";
import privateRecords from "./private-records.ts";
import tenantSwitch from "./tenant-switch.ts";
import userChildRead from "./user-child-read.ts";
import userFileRead from "./user-file-read.ts";
import userFilter from "./user-filter.ts";
import userObjectByParameter from "./user-object-by-parameter.ts";
import userObjectRead from "./user-object-read.ts";

export const bolaAuthorizationChecks: readonly Check[] = [
  anonymousObjectRead,
  alteredIdRead,
  personalObject,
  methodDifferential,
  idWrapping,
  existenceOracle,
  predictableIds,
  privateRecords,
  graphqlAnonymousData,
  userObjectRead,
  userChildRead,
  userFileRead,
  userObjectByParameter,
  userFilter,
  tenantSwitch,
  objectChange,
  objectDeletion,
];
