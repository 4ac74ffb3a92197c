import { FAILSAFE_SCHEMA, load } from "js-yaml";

/** The maps, lists and texts of YAML or JSON. Every scalar is text: an id of digits alone stays one, and so does a date. */
export const textValues = (yaml: string): unknown => load(yaml, { schema: FAILSAFE_SCHEMA });
