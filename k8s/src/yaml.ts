import { dump } from "js-yaml";

/** Plain data as YAML in block style, keys in the order of the object. Texts that YAML 1.1 reads as something else are quoted. */
export const toYaml = (value: object): string =>
  dump(value, { lineWidth: -1, noRefs: true, quoteStyle: "double" });
