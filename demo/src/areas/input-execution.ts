import { setTimeout as delay } from "node:timers/promises";
import { empty, invalid, json, objectIn, ok, textOf } from "../response.ts";
import { type Route, type Schema, weak } from "../route.ts";

const WORD: Schema = { type: "string", pattern: "^[A-Za-z ]{1,40}$" };
const MAX_SLEEP_SECONDS = 10;

/** Weaknesses of input that is executed: templates, commands, operators, headers and redirects. */
export const inputExecution: Route[] = [
  {
    method: "GET",
    path: "/v2/greeting",
    access: "public",
    operation: {
      summary: "A greeting for a letter",
      tag: "Letters",
      parameters: [{ name: "name", in: "query", required: true, schema: WORD, example: "Ada" }],
    },
    weaknesses: [weak("inputValidation", "Server-side template injection in `name`: `{{6*7}}` becomes 42")],
    vulnerable: (call) => ok({ greeting: rendered(`Dear ${call.query.get("name") ?? "patient"},`) }),
    hardened: (call) => ok({ greeting: `Dear ${call.query.get("name") ?? "patient"},` }),
  },
  {
    method: "GET",
    path: "/v2/diagnostics/ping",
    access: "admin",
    operation: {
      summary: "Reach a branch's router",
      tag: "Administration",
      parameters: [
        {
          name: "host",
          in: "query",
          required: true,
          schema: { type: "string", enum: ["harbour", "mill", "castle"] },
          example: "harbour",
        },
      ],
    },
    weaknesses: [
      weak("inputValidation", "Command injection in `host`: `;echo $((6*7))` and `;sleep 3` are executed"),
    ],
    vulnerable: async (call) => ok({ output: await simulatedShell(`ping ${call.query.get("host") ?? ""}`) }),
    hardened: (call) => ok({ output: `ping ${call.query.get("host") ?? ""}: 1 received` }),
  },
  {
    method: "GET",
    path: "/v2/rooms",
    access: "public",
    operation: {
      summary: "List rooms",
      tag: "Catalogue",
      parameters: [
        { name: "floor", in: "query", schema: { type: "integer", minimum: 0, maximum: 9 }, example: 1 },
      ],
    },
    weaknesses: [
      weak("inputValidation", "NoSQL injection in `floor`: `floor[$ne]=` and `floor[$gt]=` are operators"),
    ],
    vulnerable: (call) => ok({ rooms: ROOMS.filter((room) => matchesQuery(room, call.query)) }),
    hardened: (call) => {
      const floor = call.query.get("floor");
      return ok({ rooms: ROOMS.filter((room) => floor === null || room.floor === Number(floor)) });
    },
  },
  {
    method: "GET",
    path: "/v2/go",
    access: "public",
    operation: {
      summary: "Leave for another page",
      tag: "Pages",
      parameters: [
        {
          name: "to",
          in: "query",
          required: true,
          schema: { type: "string", maxLength: 200 },
          example: "/docs",
        },
      ],
    },
    weaknesses: [
      weak("inputValidation", "Open redirect in `to`"),
      weak("inputValidation", "HTTP response splitting: a line break in `to` starts a new header"),
    ],
    vulnerable: (call) => splitResponse(call.query.get("to") ?? "/"),
    hardened: (call) => {
      const to = call.query.get("to") ?? "";
      return /^\/[a-z0-9-]+$/.test(to)
        ? empty(302, { location: to })
        : invalid("to: must be a page of this site");
    },
  },
  {
    method: "GET",
    path: "/v2",
    access: "public",
    weaknesses: [
      weak("inputValidation", "Host header injection: the `Host` header sets the host of the redirect"),
    ],
    vulnerable: (call) =>
      empty(302, {
        location: `https://${String(call.headers["x-forwarded-host"] ?? call.headers.host ?? "")}/docs`,
      }),
    hardened: () => empty(302, { location: "/health" }),
  },
  {
    method: "POST",
    path: "/v2/letters/preview",
    access: "public",
    operation: {
      summary: "Preview a letter",
      tag: "Letters",
      body: { type: "object", required: ["text"], properties: { text: { type: "string", maxLength: 500 } } },
    },
    weaknesses: [weak("inputValidation", "A number instead of the text causes a 500")],
    vulnerable: (call) => ok({ preview: rendered((objectIn(call).text as string).trim()) }),
    hardened: (call) => json(200, { preview: textOf(objectIn(call).text).trim() }),
  },
];

const ROOMS = [
  { room: "1a", floor: 1 },
  { room: "1b", floor: 1 },
  { room: "2a", floor: 2 },
  { room: "3a", floor: 3 },
];

/** Evaluates `{{a*b}}`, `${a*b}`, `#{a*b}` and `<%=a*b%>`, as vulnerable template engines do. */
function rendered(template: string): string {
  return template.replace(
    /(?:\{\{|[$#]\{|<%=)\s*(\d{1,9})\s*([*+-])\s*(\d{1,9})\s*(?:\}\}|\}|%>)/g,
    calculated,
  );
}

function calculated(...[, left, operator, right]: string[]): string {
  const [a, b] = [BigInt(left!), BigInt(right!)];
  return String(operator === "*" ? a * b : operator === "+" ? a + b : a - b);
}

/** Simulates a few commands of a shell. Starts no process. */
async function simulatedShell(line: string): Promise<string> {
  const output: string[] = [];
  for (const command of line.split(/;|&&|\||\n/).map((part) => part.trim())) {
    const seconds = /^sleep (\d+)$/.exec(command)?.[1];
    if (seconds) await delay(Math.min(Number(seconds), MAX_SLEEP_SECONDS) * 1000);
    else if (command.startsWith("ping ")) output.push(`${command}: 1 received`);
    else if (command === "id") output.push("uid=1000(clinic) gid=1000(clinic)");
    else if (command.startsWith("echo ")) output.push(arithmetic(command.slice(5)));
  }
  return output.join("\n");
}

function arithmetic(words: string): string {
  return words.replace(/\$\(\((\d{1,9})\s*([*+-])\s*(\d{1,9})\)\)/g, calculated);
}

function matchesQuery({ floor }: { floor: number }, query: URLSearchParams): boolean {
  const compared = [...query].filter(([name]) => name.startsWith("floor"));
  return compared.every(([name, value]) => {
    if (name === "floor[$ne]") return String(floor) !== value;
    if (name === "floor[$gt]") return value === "" || floor > Number(value);
    return String(floor) === value;
  });
}

/** Turns the lines after a line break into headers, as vulnerable servers do. Node itself rejects line breaks in headers. */
function splitResponse(location: string) {
  const [first = "", ...lines] = location.split(/\r\n|\n/);
  const pairs = lines.map((line) => /^([A-Za-z0-9-]+):\s*(.*)$/.exec(line)).filter((pair) => pair !== null);
  return empty(302, { location: first, ...Object.fromEntries(pairs.map((pair) => [pair[1]!, pair[2]!])) });
}
