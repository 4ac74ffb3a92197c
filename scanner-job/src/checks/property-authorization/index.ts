import type { Check } from "../../engine/check.ts";
import fieldExpansion from "./field-expansion.ts";
import hiddenFieldSortOracle from "./hidden-field-sort-oracle.ts";
import massAssignment from "./mass-assignment.ts";
import massAssignmentCandidates from "./mass-assignment-candidates.ts";
import sensitiveFieldsAnonymous from "./sensitive-fields-anonymous.ts";
import undeclaredResponseFields from "./undeclared-response-fields.ts";
import fieldsBeyondRole from "./fields-beyond-role.ts";
import secretsOfOtherUsers from "./secrets-of-other-users.ts";
import massAssignmentAtRegistration from "./mass-assignment-at-registration.ts";

export const propertyAuthorizationChecks: readonly Check[] = [
  sensitiveFieldsAnonymous,
  secretsOfOtherUsers,
  fieldsBeyondRole,
  undeclaredResponseFields,
  fieldExpansion,
  hiddenFieldSortOracle,
  massAssignmentCandidates,
  massAssignment,
  massAssignmentAtRegistration,
];
