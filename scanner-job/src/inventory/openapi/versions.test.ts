import { dump } from "js-yaml";
import { describe, expect, it } from "vitest";
import type { ApiDocument } from "../api-document.ts";
import { DOCUMENTS, SOURCE } from "../../testing/user-documents.ts";
import { parseText } from "./parse-text.ts";
import { readApiDocument } from "./read-api-document.ts";

const FORMS: [string, (value: unknown) => string][] = [
  ["JSON", (value) => JSON.stringify(value)],
  ["YAML", (value) => dump(value)],
];

const CASES = DOCUMENTS.flatMap(([name, version, value]) =>
  FORMS.map(([form, write]) => ({ name, version, form, text: write(value) })),
);

describe.each(CASES)("OpenAPI $name in $form", ({ text, version }) => {
  it("gives the same operations regardless of its version and form", () => {
    const document = read(text);
    expect(document).toMatchObject({ version, title: "Users", servers: ["https://api.test/v1/"], notes: [] });
    const [list, create, one] = document.operations;
    expect([list, create, one].map((facts) => `${facts?.method} ${facts?.base}${facts?.path}`)).toEqual([
      "GET /v1/users",
      "POST /v1/users",
      "GET /v1/users/{id}",
    ]);
    expect([list, create, one].map((facts) => facts?.security)).toEqual(["required", "optional", "none"]);
    expect(list?.responses).toMatchObject([{ status: "200", mediaType: "application/json" }]);
    expect(list?.responses[0]?.fields.map(({ path, type }) => `${path} ${type}`)).toEqual([
      "[].id integer",
      "[].name string",
      "[].home object",
      "[].tags array",
      "[].nick string",
      "[].home.city string",
      "[].tags[].label string",
    ]);
  });

  it("gives parameters with samples, and bodies with their shape", () => {
    const [, create, one] = read(text).operations;
    expect(one).toMatchObject({ operationId: "oneUser", deprecated: true });
    expect(one?.parameters).toMatchObject([
      { name: "id", in: "path", type: "integer", minimum: 7, sample: "7", sampleIsDeclared: false },
      {
        name: "verbose",
        in: "query",
        required: false,
        sample: "yes",
        sampleIsDeclared: true,
        enum: ["yes", "no"],
      },
    ]);
    expect(create?.body).toMatchObject({ mediaType: "application/json", required: true, closed: true });
    expect(create?.body?.sample).toMatchObject({ name: "test", home: { city: "test" } });
    expect(create?.body?.sample).not.toHaveProperty("id");
    expect(create?.body?.fields.find(({ path }) => path === "id")).toMatchObject({ readOnly: true });
  });

  it("lists the security schemes and every address with its pointer", () => {
    const { securitySchemes, addresses } = read(text);
    expect(securitySchemes).toMatchObject([
      { name: "key", type: "apiKey", in: "header", parameterName: "X-Key" },
      { name: "sso", type: "oauth2", urls: ["https://login.test/token"] },
    ]);
    expect(addresses).toHaveLength(1);
    expect(addresses[0]?.pointer).toMatch(/\/sso\/(flows\/clientCredentials\/)?tokenUrl$/);
  });
});

const read = (text: string): ApiDocument => readApiDocument(parseText(text), SOURCE);
