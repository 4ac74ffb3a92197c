import { describe, expect, it } from "vitest";
import { largeDocument } from "../testing/large-document.ts";
import { readDocument, type ApiDocument, type DocumentSource, type ReadLimits } from "./api-document.ts";

const SOURCE: DocumentSource = {
  origin: "https://api.test/openapi.json",
  isPublic: true,
  targetUrl: "https://api.test/v1/users",
};

describe("readDocument", { timeout: 30_000 }, () => {
  it("brings a document out of its thread", async () => {
    const text = "openapi: 3.1.0\npaths:\n  /users/{id}:\n    get: {security: []}\n";
    expect(await readDocument(text, SOURCE)).toMatchObject({
      document: {
        origin: "https://api.test/openapi.json",
        isPublic: true,
        version: "3.1",
        operations: [{ method: "GET", path: "/users/{id}", security: "none" }],
      },
    });
  });

  it("explains why a document is unusable", async () => {
    expect(await unusable("<!doctype html>")).toMatch(/HTML/);
  });

  it("readDocument does not parse a document of a million paths", async () => {
    const paths = Array.from({ length: 1_000_000 }, (_, n) => `"/${n}":{}`).join(",");
    expect(await unusable(`{"openapi":"3.0.0","paths":{${paths}}}`)).toMatch(/too much memory/);
  });

  it("readDocument does not parse what is larger than the cap", async () => {
    const text = JSON.stringify({ openapi: "3.0.0", paths: {}, filler: "é".repeat(9 * 1024 * 1024) });
    expect(await unusable(text)).toBe("It is larger than 16777216 bytes");
  });

  it("inventories all 1,000 operations of a document of 13 MB, every one with what its responses hold", async () => {
    const text = largeDocument({ operations: 1_000, bytes: 13_000_000 });
    expect(text.length).toBeGreaterThan(12_500_000);
    const read = await readDocument(text, SOURCE);
    const { operations } = (read as { document: ApiDocument }).document;
    expect(operations).toHaveLength(1_000);
    expect(
      operations.filter(({ responses }) => responses.some(({ fields }) => fields.length > 0)),
    ).toHaveLength(1_000);
    const writes = operations.filter(({ method }) => method === "POST");
    expect(writes.filter(({ body }) => body?.fields.length)).toHaveLength(250);
  });

  it("stops a thread that exceeds its time limit", async () => {
    expect(await unusable("openapi: 3.0.0", { timeoutMs: 1 })).toBe("It took more than 1 ms to read");
  });

  it("stops a thread that wants too much memory", async () => {
    const paths = Array.from({ length: 50_000 }, (_, n) => `  /${n}: {}`).join("\n");
    expect(await unusable(`openapi: 3.0.0\npaths:\n${paths}`, { heapMegabytes: 8 })).toMatch(/memory/);
  });

  it("survives objects nested a hundred thousand times", async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const response = await readDocument(
      `{"openapi":"3.0.0","paths":{"/a":{"get":{"x-deep":${deep}}}}}`,
      SOURCE,
    );
    expect(response).toMatchObject({ document: { operations: [{ path: "/a" }] } });
  });
});

async function unusable(text: string, limits: ReadLimits = {}): Promise<string> {
  const response = await readDocument(text, SOURCE, limits);
  return "unusable" in response ? response.unusable : "it was read";
}
