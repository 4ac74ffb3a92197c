/**
 * The name of the first member that occurs twice in one object of a JSON text, or undefined. JSON.parse keeps the
 * last one silently, and a proxy or scanner in front may have judged the first (RFC 8259, section 4).
 * The text must already have been accepted by JSON.parse.
 */
export function duplicateMember(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = stringEnd(json, index);
      // In valid JSON a string is a member's name exactly when a colon follows.
      if (json[skipSpace(json, end)] === ":") {
        const name = JSON.parse(json.slice(index, end)) as string;
        const members = open.at(-1);
        if (members?.has(name)) return name;
        members?.add(name);
      }
      index = end - 1;
    }
  }
  return undefined;
}

/** The index behind the closing quote of the string that starts at `start`. */
function stringEnd(json: string, start: number): number {
  let index = start + 1;
  while (json[index] !== '"') index += json[index] === "\\" ? 2 : 1;
  return index + 1;
}

function skipSpace(json: string, start: number): number {
  let index = start;
  while (json[index] === " " || json[index] === "\n" || json[index] === "\r" || json[index] === "\t") index++;
  return index;
}
