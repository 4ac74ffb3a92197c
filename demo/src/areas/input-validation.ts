import { ID, type Route, idIn, weak } from "../route.ts";
import { notFound, ok, text } from "../response.ts";

const CATEGORY = { type: "string", enum: ["painkiller", "inhaler", "antihistamine"] };
const MEDICINE = {
  type: "object",
  properties: { id: ID, name: { type: "string" }, category: CATEGORY, price: { type: "number" } },
};

/** Weaknesses of input in SQL statements, file paths and HTML pages. */
export const inputValidation: Route[] = [
  {
    method: "GET",
    path: "/v2/medicines",
    access: "public",
    operation: {
      summary: "List medicines",
      tag: "Pharmacy",
      parameters: [{ name: "category", in: "query", schema: CATEGORY, example: "painkiller" }],
      responds: { type: "object", properties: { medicines: { type: "array", items: MEDICINE } } },
    },
    weaknesses: [
      weak("inputValidation", "SQL injection in `category`: conditions are evaluated"),
      weak("inputValidation", "SQL injection in `category`: a quote returns the error of the database"),
    ],
    vulnerable: (call, clinic) => {
      const category = call.query.get("category");
      const where = category === null ? "" : `WHERE category = '${category}'`;
      return ok({ medicines: clinic.pharmacy.prepare(`SELECT * FROM medicines ${where}`).all() });
    },
    hardened: (call, clinic) => {
      const category = call.query.get("category");
      const statement = clinic.pharmacy.prepare("SELECT * FROM medicines WHERE ? IS NULL OR category = ?");
      return ok({ medicines: statement.all(category, category) });
    },
  },
  {
    method: "GET",
    path: "/v2/medicines/{medicineId}",
    access: "public",
    operation: {
      summary: "Read a medicine",
      tag: "Pharmacy",
      parameters: [idIn("medicineId")],
      responds: MEDICINE,
    },
    weaknesses: [
      weak("inputValidation", "SQL injection in the numeric id"),
      weak("inputValidation", "A word instead of the numeric id causes a 500"),
      weak("dataExposure", "Error responses contain stack traces"),
    ],
    vulnerable: (call, clinic) => {
      const sql = `SELECT * FROM medicines WHERE id = ${call.params.medicineId}`;
      const row = clinic.pharmacy.prepare(sql).get();
      return row ? ok(row) : notFound();
    },
    hardened: (call, clinic) => {
      const row = clinic.pharmacy
        .prepare("SELECT * FROM medicines WHERE id = ?")
        .get(call.params.medicineId ?? "");
      return row ? ok(row) : notFound();
    },
  },
  {
    method: "GET",
    path: "/v2/leaflets",
    access: "public",
    operation: {
      summary: "Read a leaflet",
      tag: "Pharmacy",
      parameters: [
        {
          name: "file",
          in: "query",
          required: true,
          schema: { type: "string", pattern: "^[a-z]{1,20}\\.txt$" },
          example: "asthma.txt",
        },
      ],
    },
    weaknesses: [weak("inputValidation", "Path traversal in `file` with `../`")],
    vulnerable: (call) => leaflet(resolved(`/srv/clinic/leaflets/${call.query.get("file") ?? ""}`)),
    hardened: (call) => leaflet(`/srv/clinic/leaflets/${call.query.get("file") ?? ""}`),
  },
  {
    method: "GET",
    path: "/v2/search",
    access: "public",
    operation: {
      summary: "Search page",
      tag: "Pages",
      parameters: [
        {
          name: "q",
          in: "query",
          required: true,
          schema: { type: "string", maxLength: 60 },
          example: "asthma",
        },
      ],
    },
    weaknesses: [weak("inputValidation", "Reflected cross-site scripting: `q` is not escaped")],
    vulnerable: (call) => page(call.query.get("q") ?? ""),
    hardened: (call) => page(escaped(call.query.get("q") ?? "")),
  },
];

/** A simulated file system: path traversal reads no file of the machine. */
const FILES = new Map([
  ["/srv/clinic/leaflets/asthma.txt", "Use your inhaler as prescribed.\n"],
  [
    "/etc/passwd",
    "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nclinic:x:1000:1000::/srv/clinic:/bin/sh\n",
  ],
  ["/windows/win.ini", "; for 16-bit app support\r\n[fonts]\r\n[extensions]\r\n[mci extensions]\r\n"],
]);

function leaflet(path: string) {
  const content = FILES.get(path);
  return content === undefined ? notFound() : text(200, "text/plain; charset=utf-8", content);
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function page(query: string) {
  return text(
    200,
    "text/html; charset=utf-8",
    `<!doctype html><title>Search</title><p>No results for ${query}</p>`,
  );
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
