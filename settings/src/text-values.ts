import { CORE_SCHEMA, FAILSAFE_SCHEMA, load } from "js-yaml";

/** The maps, lists and texts of YAML or JSON. Every scalar is text: an id of digits alone stays one, and so does a date. */
export const textValues = (yaml: string): unknown => load(yaml, { schema: FAILSAFE_SCHEMA });

/** The values of YAML or JSON, as JSON has them: no dates, no other types. */
export const jsonValues = (yaml: string): unknown => load(yaml, { schema: CORE_SCHEMA });
