import type { Check } from "../../engine/check.ts";
import fieldExpansion from "./field-expansion.ts";
import hiddenFieldSortOracle from "./hidden-field-sort-oracle.ts";
import massAssignmentCandidates from "./mass-assignment-candidates.ts";
import sensitiveFieldsAnonymous from "./sensitive-fields-anonymous.ts";
import undeclaredResponseFields from "./undeclared-response-fields.ts";

export const propertyAuthorizationChecks: readonly Check[] = [
  sensitiveFieldsAnonymous,
  undeclaredResponseFields,
  fieldExpansion,
  hiddenFieldSortOracle,
  massAssignmentCandidates,
];
