import { ID, type Route, idIn, weak } from "../route.ts";
import { notFound, ok, text } from "../reply.ts";

const CATEGORY = { type: "string", enum: ["painkiller", "inhaler", "antihistamine"] };
const MEDICINE = {
  type: "object",
  properties: { id: ID, name: { type: "string" }, category: CATEGORY, price: { type: "number" } },
};

/** What is done with what was sent: statements, files and pages made of it. */
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
      weak("inputValidation", "`category` becomes part of an SQL statement: conditions are obeyed"),
      weak("inputValidation", "A quote in `category` brings back the database's error"),
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
      weak("inputValidation", "The id becomes part of an SQL statement without quotes"),
      weak("inputValidation", "A word for the number is a 500"),
      weak("dataExposure", "Errors come with their stack trace"),
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
    weaknesses: [weak("inputValidation", "`file` climbs out of its directory with `../`")],
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
    weaknesses: [weak("inputValidation", "`q` is put into the page unescaped (cross-site scripting)")],
    vulnerable: (call) => page(call.query.get("q") ?? ""),
    hardened: (call) => page(escaped(call.query.get("q") ?? "")),
  },
];

/** A file system of its own, so that climbing out shows the weakness and nothing of the machine. */
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
