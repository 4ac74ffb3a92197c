/** True when the brackets of a JSON text, those in its strings apart, nest deeper than `levels`. Reads no further then. */
export function nestsDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\\") at++;
    else if (sign === '"') inString = !inString;
    else if (!inString) depth += STEPS[sign] ?? 0;
    if (depth > levels) return true;
  }
  return false;
}

const STEPS: Readonly<Record<string, number>> = { "[": 1, "{": 1, "]": -1, "}": -1 };
