// A plugin of Oxlint with a rule for texts that users and operators read.

/** Translated English, and words for which the table "Words" of CONTRIBUTING.md has another; with what to write. */
const PATTERNS = [
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b)\w+/i, "“is not a …” or “not found”"],
  [/\b(?:so|as) many\b(?! as\b)/i, "the number, or “this many”"],
  [/\b(?:whatever|whoever)\b/i, "“any”, “anyone” or “regardless of”"],
  [/\bmend(?:s|ed|ing)?\b/i, "“fix”"],
  [/\bby chance\b/i, "“randomly”"],
  [/\banew\b/i, "“again”"],
  [/\bfor good\b/i, "“permanently”"],
  [/\bat once\b/i, "“immediately”"],
  [/\bunless given\b/i, "“Default: …”"],
  [/\bof yours\b/i, "“your …”"],
  [/\beras(?:e|ed|es|ing|ure)\b/i, "“delete”"],
  [/\bordinary\b/i, "“baseline” or “normal”"],
  [/\b(?:un)?sealed\b/, "“isolated”"],
  [/\bof (?:its|their|his) own\b/i, "“its”, “separate” or “dedicated”"],
  [/\b(?:that|those) of\b/i, "the noun again"],
  [/, too\b/i, "“also”"],
  [/\banswer(?:s|ed|ing)?\b(?! questions?\b)/i, "“response” or “respond”"],
  [/(?<!\btakes? )\bplaces?\b/i, "“location”, or “instead of” for “in place of”"],
  [/\balike\b/i, "“equal” or “similar”"],
];

/** Names in code, markup and SQL are not words: `answer`, name="answer", f.place, count(a) as places, <ul class="places">. */
const CODE =
  /`[^`\n]*`|="[^"]*"|[\w$]*\.\w+|\) as \w+|\b(?:select|insert|delete|update)\b[^]*\b(?:from|into|set)\b[^]*/g;

/** A text of one word is a key or a name. */
const isSentence = (text) => /\S\s+\S/.test(text);

const idiom = {
  meta: { type: "problem", schema: [], messages: { idiom: "“{{found}}”: write {{instead}}." } },
  create({ report }) {
    const read = (node, text) => {
      if (!isSentence(text)) return;
      const words = text.replaceAll(CODE, " ");
      for (const [pattern, instead] of PATTERNS) {
        const found = pattern.exec(words)?.[0];
        if (found !== undefined) report({ node, messageId: "idiom", data: { found, instead } });
      }
    };
    return {
      Literal: (node) => typeof node.value === "string" && read(node, node.value),
      TemplateLiteral: (node) => read(node, node.quasis.map(({ value }) => value.cooked ?? "").join("…")),
      JSXText: (node) => read(node, node.value),
    };
  },
};

export default { meta: { name: "words" }, rules: { idiom } };
