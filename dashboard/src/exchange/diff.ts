/** A part of a text: in both, or only in the one that is shown. */
export interface Segment {
  readonly text: string;
  readonly differs: boolean;
}

/** Tokens compared at most: the table of the comparison grows with the product of both sides. */
const MAX_TOKENS = 600;

/**
 * Both texts as segments, with what the other lacks marked: the longest common subsequence of their words.
 * Joined, the segments of a side are its text. Longer texts are compared by their common start and end only.
 */
export function markDifferences(left: string, right: string): { left: Segment[]; right: Segment[] } {
  const a = tokensOf(left);
  const b = tokensOf(right);
  const start = commonLength(a, b);
  const end = commonLength(a.slice(start).toReversed(), b.slice(start).toReversed());
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const isLong = middleA.length > MAX_TOKENS || middleB.length > MAX_TOKENS;
  const kept = isLong ? { a: new Set<number>(), b: new Set<number>() } : commonTokens(middleA, middleB);
  return {
    left: segmentsOf(a, (index) => isKept(kept.a, index - start, middleA.length)),
    right: segmentsOf(b, (index) => isKept(kept.b, index - start, middleB.length)),
  };
}

const isKept = (kept: ReadonlySet<number>, index: number, length: number): boolean =>
  index < 0 || index >= length || kept.has(index);

/** Words, runs of spaces, line ends, and every other character by itself. */
const tokensOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}_]+|\n|[^\S\n]+|[^\p{L}\p{N}_\s]/gu) ?? [];

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** The indices, on each side, of a longest common subsequence. */
function commonTokens(a: readonly string[], b: readonly string[]): { a: Set<number>; b: Set<number> } {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const longer = Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1]! + 1 : longer;
    }
  const kept = { a: new Set<number>(), b: new Set<number>() };
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      kept.a.add(i++);
      kept.b.add(j++);
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return kept;
}

function segmentsOf(tokens: readonly string[], isCommon: (index: number) => boolean): Segment[] {
  const segments: { text: string; differs: boolean }[] = [];
  for (const [index, text] of tokens.entries()) {
    const differs = !isCommon(index);
    const last = segments.at(-1);
    if (last?.differs === differs) last.text += text;
    else segments.push({ text, differs });
  }
  return segments;
}
