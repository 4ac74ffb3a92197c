export { SIGN, TOKENS } from "./design/tokens.ts";
export { categoryTitles, explanationOf, markText, narrowed, severitiesText } from "./findings.ts";
export {
  FORMATS,
  FORMAT_NAMES,
  exportFileName,
  exportScan,
  type ExportOptions,
  type Format,
  type SourceDocument,
} from "./formats.ts";
export { journalEntryText, journalText, remaining } from "./journal.ts";
export { explainFinding } from "./markdown.ts";
export { markup, type Markup } from "./markup.ts";
export { SIDE_EFFECTS, sideEffectText } from "./side-effects.ts";
export { documentLines } from "./source-location.ts";
export { counted, plainText } from "./text.ts";
