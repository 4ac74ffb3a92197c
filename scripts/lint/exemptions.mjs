// A plugin of Oxlint about the comments that switch its rules off.

const DIRECTIVE = /^\s*(?:oxlint|eslint)-disable(?:-next-line|-line)?\s(?<rest>.*)/s;

/** A function or file that is too large, or has too many parameters, is divided: the limits have no exceptions. */
const noSizeExemption = {
  meta: {
    type: "problem",
    schema: [],
    messages: { exempt: "Divide it: limits of size have no exceptions." },
  },
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments()) {
        const [rules = ""] = DIRECTIVE.exec(comment.value)?.groups.rest.split(/\s--\s/) ?? [];
        const isSize = rules
          .split(",")
          .some((rule) => /^(?:eslint\/)?(?:max-|complexity$)/.test(rule.trim()));
        if (isSize) report({ loc: comment.loc, messageId: "exempt" });
      }
    },
  }),
};

export default { meta: { name: "exemptions" }, rules: { "no-size-exemption": noSizeExemption } };
