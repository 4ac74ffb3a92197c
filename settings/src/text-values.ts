import { CORE_SCHEMA, FAILSAFE_SCHEMA, YAMLException, load } from "js-yaml";

/** The maps, lists and texts of YAML or JSON. Every scalar is text: an id of digits alone stays one, and so does a date. */
export const textValues = (yaml: string): unknown => load(yaml, { schema: FAILSAFE_SCHEMA });

/**
 * The values of YAML or JSON, as JSON has them: no dates, no other types; or the line, from 1, at which the text is neither. No
 * message: that of the parser quotes the text.
 */
export function jsonValues(yaml: string): { readonly value: unknown } | { readonly line: number } {
  try {
    return { value: load(yaml, { schema: CORE_SCHEMA }) };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return { line: (error.mark?.line ?? 0) + 1 };
  }
}
