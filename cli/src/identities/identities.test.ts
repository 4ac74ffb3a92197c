import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Identity } from "@glovebox/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UserError } from "../command-line.ts";
import { readIdentities, type RawIdentityOptions } from "./identities.ts";

const SECRET = "s3cr3t-value-that-no-message-may-have";
const folder = mkdtempDisposableSync(join(tmpdir(), "glovebox-identities-"));
const inFolder = (name: string, text: string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return path;
};

const alice: Identity = { name: "alice", role: "user", headers: { Authorization: `Bearer ${SECRET}` } };
const ofFile = (text: string, environment: NodeJS.ProcessEnv = {}) =>
  readIdentities({ identityFile: inFolder("identities.yaml", text) }, { environment });
const ofHeaders = (header: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  readIdentities({ header }, { environment });

describe("the identities of a scan", () => {
  test("the identities of a scan are undefined where no option and no variable gives any", () => {
    expect(readIdentities({}, { environment: { GLOVEBOX_IDENTITIES: "" } })).toBeUndefined();
  });

  test.each([
    ["YAML", `identities:\n  - name: alice\n    headers: {Authorization: "Bearer ${SECRET}"}\n`],
    ["JSON", JSON.stringify({ identities: [alice] })],
  ])("the identities of a scan are read as %s from a file, and the same from the variable", (_, text) => {
    expect(ofFile(text)).toEqual([alice]);
    expect(readIdentities({}, { environment: { GLOVEBOX_IDENTITIES: text } })).toEqual([alice]);
  });

  test("the identities of a scan are those of the file where the variable has others", () => {
    const environment = { GLOVEBOX_IDENTITIES: "identities: [{name: bob, headers: {x-key: k}}]" };
    expect(ofFile(JSON.stringify({ identities: [alice] }), environment)).toEqual([alice]);
  });

  test("include the headers of the command line as `default`, in addition to those in a file", () => {
    const raw = {
      identityFile: inFolder("beside.json", JSON.stringify({ identities: [alice] })),
      header: ["X-Api-Key: a:b ", "Cookie:session=1; x=2"],
    };
    expect(readIdentities(raw, { environment: {} })).toEqual([
      alice,
      { name: "default", role: "user", headers: { "X-Api-Key": "a:b", Cookie: "session=1; x=2" } },
    ]);
  });

  test("keep the types of a login body", () => {
    const login = { operation: "POST /session", body: { id: 7, remember: true, day: "2027-01-31" } };
    expect(ofFile(JSON.stringify({ identities: [{ name: "bob", login }] }))).toMatchObject([{ login }]);
  });
});

describe("a value that names a variable or a file", () => {
  const environment = { TOKEN: SECRET, USER_NAME: "bob" };
  const file = inFolder("token.txt", `${SECRET}\n`);

  test.each([
    ["env:TOKEN", SECRET],
    [`@${file}`, SECRET],
    ["Bearer env:TOKEN", `Bearer ${SECRET}`],
    [`Bearer @${file}`, `Bearer ${SECRET}`],
    ["prefixenv:TOKEN", "prefixenv:TOKEN"],
    ["ENV:TOKEN", "ENV:TOKEN"],
    ["bob@example.com", "bob@example.com"],
  ])("%s is resolved in a header", (written, resolved) => {
    expect(ofHeaders([`Authorization: ${written}`], environment)).toMatchObject([
      { headers: { Authorization: resolved } },
    ]);
  });

  test("a value that names a variable or a file is resolved in cookies, query, body, form and refresh, however deep, and nowhere else", () => {
    const text = `
identities:
  - name: alice
    tenant: env:TOKEN
    cookies: {sid: env:TOKEN}
    query: {api_key: "@${file}"}
    login:
      operation: POST /session
      token: /data/token
      body: {user: {name: env:USER_NAME, all: [env:TOKEN, 1, null]}, env:TOKEN: x}
      as: {prefix: env:TOKEN}
      refresh: {operation: POST /refresh, body: {client: env:USER_NAME}}
  - name: bob
    login: {operation: POST /session, form: {password: env:TOKEN, note: Bearer env:TOKEN}}
`;
    expect(ofFile(text, environment)).toMatchObject([
      {
        tenant: "env:TOKEN",
        cookies: { sid: SECRET },
        query: { api_key: SECRET },
        login: {
          body: { user: { name: "bob", all: [SECRET, 1, null] }, "env:TOKEN": "x" },
          as: { prefix: "env:TOKEN" },
          refresh: { body: { client: "bob" } },
        },
      },
      { login: { form: { password: SECRET, note: "Bearer env:TOKEN" } } },
    ]);
  });

  test.each(["a\n", "a\r\n", "a"])("of a file with %j is without the final line break", (text) => {
    expect(ofHeaders([`x: @${inFolder("line.txt", text)}`])).toMatchObject([{ headers: { x: "a" } }]);
  });
});

describe("bad input is refused with option, identity, field and reason, and without a value:", () => {
  const FILE = "--identity-file: ";
  const one = (fields: string) => `identities: [{name: alice, ${fields}}]`;

  test.each<[string, string]>([
    ["a: [", "is neither YAML nor JSON, see line 1"],
    [`name: ${SECRET}`, "identities: must be a list"],
    ["[]", "must have the key `identities`"],
    ["identities: []", "identities: is empty"],
    [
      "identities: [{headers: {x: y}}]",
      "identity 1: name: must be given as text; YAML needs quotes around a number",
    ],
    [
      `identities: [{name: "${SECRET}_", headers: {x: y}}]`,
      "identity 1: name: must be 1 to 32 lower-case letters",
    ],
    [one("role: root, headers: {x: y}"), "identity alice: role: must be one of user, admin"],
    [
      one("headers: {x: 12}"),
      "identity alice: headers.x: must be given as text; YAML needs quotes around a number",
    ],
    [one(`headers: {"Bearer ${SECRET}": x}`), "identity alice: headers.…: must be the name of a header"],
    [one(`headers: {Host: ${SECRET}}`), "identity alice: headers.Host: is set by the scanner itself"],
    [one(`headers: {x: "${SECRET}\\n"}`), "identity alice: headers.x: must not contain control characters"],
    [one(`token: ${SECRET}`), "identity alice: has unknown fields: token"],
    [one(`"Bearer ${SECRET}": x`), "identity alice: has an unknown field"],
    [one("role: user"), "identity alice: needs `headers`, `cookies`, `query` or `login`"],
    [one(`login: {operation: "${SECRET}"}`), "identity alice: login.operation: must be a method and a path"],
    [
      one(`login: {operation: POST /s, body: {p: ${SECRET}}, form: {p: ${SECRET}}}`),
      "identity alice: login.form: must not be given beside `body`",
    ],
    [one(`headers: {x: env:NO_SUCH}`), "identity alice: headers.x: the variable NO_SUCH is not set"],
    [one(`headers: {x: env:EMPTY}`), "identity alice: headers.x: the variable EMPTY is empty"],
    [one(`headers: {x: "env:${SECRET}"}`), "identity alice: headers.x: does not name a variable behind env:"],
    [
      one(`login: {operation: POST /s, body: {a: [{p: "@${SECRET}"}]}}`),
      "identity alice: login.body.a.0.p: the file that it names behind @ cannot be read (ENOENT)",
    ],
    [one(`headers: {x: env:LINES}`), "identity alice: headers.x: must not contain control characters"],
    [
      "identities: [{name: alice, headers: {x: y}}, {name: alice, headers: {x: y}}]",
      "identity alice: name: is the name of another identity",
    ],
  ])("%s", (text, message) => {
    const environment = { EMPTY: "", LINES: `${SECRET}\nx` };
    const path = inFolder("bad.yaml", text);
    expect(refusal({ identityFile: path }, environment)).toContain(`${FILE}${path}: ${message}`);
    const inVariable = refusal({}, { ...environment, GLOVEBOX_IDENTITIES: text });
    expect(inVariable).toContain(`GLOVEBOX_IDENTITIES: ${message}`);
  });

  test.each<[readonly string[], string]>([
    [[`Bearer ${SECRET}`], "--header: must be 'Name: value'"],
    [[`: ${SECRET}`], "--header: must be 'Name: value'"],
    [[`@${SECRET}`], "--header: must be 'Name: value'"],
    [["Authorization:"], "--header: identity default: headers.Authorization: is empty"],
    [[`Bearer ${SECRET}: x`], "--header: identity default: headers.…: must be the name of a header"],
    [[`a: ${SECRET}`, `A: ${SECRET}`], "--header: identity default: headers.A: is given twice"],
    [["a: env:NO_SUCH"], "--header: identity default: headers.a: the variable NO_SUCH is not set"],
    [
      ["a: @/no/such"],
      "--header: identity default: headers.a: the file that it names behind @ cannot be read (ENOENT)",
    ],
    [
      [`Content-Type: ${SECRET}`],
      "--header: identity default: headers.Content-Type: is set by the scanner itself",
    ],
  ])("%j", (header, message) => {
    expect(refusal({ header })).toContain(message);
  });

  test("a header beside a file that names an identity `default`", () => {
    const identityFile = inFolder("default.yaml", "identities: [{name: default, headers: {x: y}}]");
    expect(refusal({ identityFile, header: ["a: b"] })).toBe(
      "--header: identity default: name: is the name of another identity",
    );
  });

  test("a header beside four identities", () => {
    const identities = ["a", "b", "c", "d"].map((name) => ({ name, headers: { x: "y" } }));
    const identityFile = inFolder("four.yaml", JSON.stringify({ identities }));
    expect(refusal({ identityFile, header: ["a: b"] })).toBe("--header: identities: must not be more than 4");
  });

  test.each(["/no/such.yaml", tmpdir()])("the file %s", (identityFile) => {
    expect(refusal({ identityFile })).toBe(`--identity-file: ${identityFile} is not a file`);
  });

  test("regardless of what is wrong and where the secret is", () => {
    const place = fc.constantFrom("name", "role", "headers", "cookies", "query", "login", "tenant", "x");
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(SECRET, `Bearer ${SECRET}`, `@${SECRET}`, `env: ${SECRET}`, 1, null),
        fc.dictionary(fc.oneof(place, fc.constant(`Bearer ${SECRET}`)), tie("value"), { maxKeys: 3 }),
        fc.array(tie("value"), { maxLength: 2 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(place, value), (identity) => {
        const text = JSON.stringify({ identities: [identity] });
        try {
          readIdentities({}, { environment: { GLOVEBOX_IDENTITIES: text } });
        } catch (error) {
          expect(error).toBeInstanceOf(UserError);
          expect((error as Error).message).not.toContain(SECRET);
        }
      }),
    );
  });
});

/** The message of the refusal, which has no secret in it. */
function refusal(raw: RawIdentityOptions, environment: NodeJS.ProcessEnv = {}): string {
  try {
    readIdentities(raw, { environment });
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    const { message } = error as Error;
    expect(message).not.toContain(SECRET);
    return message;
  }
  throw new Error("was accepted");
}
