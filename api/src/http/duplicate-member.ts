/**
 * The name of the first member that occurs twice in one object of a JSON text, or undefined. JSON.parse keeps the
 * last one silently, and a proxy or scanner in front may have judged the first (RFC 8259, section 4).
 * The text must already have been accepted by JSON.parse.
 */
export function duplicateMember(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    // In valid JSON a string is a member's name exactly when a colon follows.
    else if (text !== undefined && colon !== undefined) {
      const name = JSON.parse(text) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}

const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[{}[\]]/g;
