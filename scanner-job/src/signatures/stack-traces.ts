/** Characters of a text that are looked through. */
const SEARCHED = 64 * 1024;

/** What a trace of the program's own code in this text was written by; undefined where there is none. */
export function stackTraceIn(text: string): string | undefined {
  // In JSON the lines of a trace are separated by an escape.
  const lines = text.slice(0, SEARCHED).replaceAll("\\r", "").replaceAll("\\n", "\n").replaceAll("\\t", "\t");
  return SIGNATURES.find(([, form]) => form.test(lines))?.[0];
}

const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  [
    "Java",
    /^[ \t]*at [\w$.]+\.[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/m,
  ],
  [".NET", /^[ \t]*at [\w.`<>]+\([^)\n]{0,200}\) in [^\n]{1,200}:line \d+/m],
  [".NET", /<title>[^<]{0,200}<\/title>[\s\S]{0,2000}Server Error in '\/[^']{0,80}' Application/],
  [
    "Node.js",
    /^[ \t]*at (?:(?:async )?[\w$.<>[\] ]{1,80} \()?(?:file:\/\/\/|node:|\/|[A-Z]:\\)[^\n()]{1,300}:\d+:\d+\)?/m,
  ],
  ["Python", /Traceback \(most recent call last\)/],
  ["Python", /^[ \t]*File "[^"\n]{1,200}\.py", line \d+, in /m],
  ["Django", /You're seeing this error because you have <code>DEBUG = True<\/code>/],
  [
    "PHP",
    /(?:Fatal error|Warning|Notice)(?:<\/b>)?: [^\n]{1,300} in (?:<b>)?\/[^\s<]{1,200}\.php(?:<\/b>)? on line (?:<b>)?\d+/,
  ],
  ["PHP", /Stack trace:\s*#0 [^\n]{1,300}\.php\(\d+\)/],
  ["Laravel", /"exception":\s*"[\w\\]{1,200}",\s*"file":\s*"[^"]{1,300}\.php"/],
  ["Ruby", /\w\.rb:\d+:in [`']/],
  ["Go", /goroutine \d+ \[running\]:/],
  ["Rust", /thread '[^'\n]{1,80}' panicked at /],
];
