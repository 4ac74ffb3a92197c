import type { Check } from "../../engine/check.ts";
import commandInjection from "./command-injection.ts";
import headerInjection from "./header-injection.ts";
import hostRedirect from "./host-redirect.ts";
import nosqlOperator from "./nosql-operator.ts";
import openRedirect from "./open-redirect.ts";
import pathTraversal from "./path-traversal.ts";
import reflectedMarkup from "./reflected-markup.ts";
import sqlBoolean from "./sql-boolean.ts";
import sqlError from "./sql-error.ts";
import templateInjection from "./template-injection.ts";
import ldapInjection from "./ldap-injection.ts";
import sqlStatement from "./sql-statement.ts";
import xpathInjection from "./xpath-injection.ts";
import codeInjection from "./code-injection.ts";
import nosqlJavascript from "./nosql-javascript.ts";
import xmlInjection from "./xml-injection.ts";
import commandTime from "./command-time.ts";
import sqlTime from "./sql-time.ts";
import unvalidatedWrite from "./unvalidated-write.ts";
import xxe from "./xxe.ts";
import typeViolation5xx from "./type-violation-5xx.ts";
import storedMarkup from "./stored-markup.ts";
import negativeQuantity from "./negative-quantity.ts";

export const inputValidationChecks: readonly Check[] = [
  sqlError,
  sqlBoolean,
  sqlStatement,
  nosqlOperator,
  nosqlJavascript,
  xpathInjection,
  ldapInjection,
  commandInjection,
  codeInjection,
  templateInjection,
  pathTraversal,
  headerInjection,
  openRedirect,
  hostRedirect,
  reflectedMarkup,
  xxe,
  xmlInjection,
  typeViolation5xx,
  unvalidatedWrite,
  storedMarkup,
  negativeQuantity,
];

/** These take long and come after all others, also after the bursts of requests, which they would leave no time. */
export const timeChecks: readonly Check[] = [sqlTime, commandTime];
