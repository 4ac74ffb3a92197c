// A plugin of Oxlint with rules of our own for tests.

const COMPARISONS = /^toBe(?:LessThan|GreaterThan)(?:OrEqual)?$|^toBeCloseTo$/;
const MEASURING = new Set([
  ...["performance.now", "process.hrtime", "process.hrtime.bigint"],
  ...["process.cpuUsage", "process.threadCpuUsage", "process.resourceUsage"],
]);

/** Time depends on the machine and on what else it does: a test counts work, and a benchmark compares with a baseline. */
const noMeasuredTime = {
  meta: { type: "problem", schema: [], messages: { measured: "Count work; measure time in bench/." } },
  create: ({ sourceCode, report }) => ({
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || !COMPARISONS.test(callee.property.name)) return;
      const compared = [...expectedIn(callee.object), ...node.arguments];
      if (compared.some((part) => isMeasured(part, sourceCode))) report({ node, messageId: "measured" });
    },
  }),
};

/** What `expect` is called with in `expect(…).not`, `await expect(…)` and the like. */
function expectedIn(node) {
  if (node.type === "MemberExpression") return expectedIn(node.object);
  return node.type === "CallExpression" && nameOf(node.callee) === "expect" ? node.arguments : [];
}

/** Whether a value is a time that was measured, as a reading of a clock or a difference of such readings. */
function isMeasured(node, sourceCode, seen = new Set()) {
  if (seen.has(node) || /Function/.test(node.type)) return false;
  seen.add(node);
  if (node.type === "CallExpression" && MEASURING.has(nameOf(node.callee))) return true;
  if (node.type === "BinaryExpression" && node.operator === "-" && [node.left, node.right].some(isDate))
    return true;
  return partsOf(node, sourceCode).some((part) => isMeasured(part, sourceCode, seen));
}

const isDate = (node) => node.type === "CallExpression" && nameOf(node.callee) === "Date.now";

/** The expressions that a value is made of. */
function partsOf(node, sourceCode) {
  if (node.type === "Identifier") return valuesOf(node, sourceCode);
  if (node.type === "MemberExpression" && !node.computed) return [node.object];
  if (node.type === "Property") return [node.value];
  const keys = sourceCode.visitorKeys[node.type] ?? [];
  return keys.flatMap((key) => node[key] ?? []).filter((part) => part !== null);
}

/** What a constant is initialized with. */
function valuesOf(identifier, sourceCode) {
  for (let scope = sourceCode.getScope(identifier); scope; scope = scope.upper) {
    const variable = scope.set.get(identifier.name);
    if (variable) return variable.defs.flatMap(({ node }) => node.init ?? []);
  }
  return [];
}

/** `a.b.c`; `undefined` of other expressions. */
function nameOf(node) {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MemberExpression" && !node.computed) {
    const object = nameOf(node.object);
    return object === undefined ? undefined : `${object}.${node.property.name}`;
  }
  return undefined;
}

export default { meta: { name: "tests" }, rules: { "no-measured-time": noMeasuredTime } };
