import { DEFAULT_LIMITS, type ScanOrder } from "@glovebox/contract";
import { type PlanFrame } from "@glovebox/scan-run";
import { describe, expect, it } from "vitest";
import { plan } from "./plan.ts";
import { apiDocument } from "./testing/api-document.ts";
import { aCheck } from "./testing/samples.ts";
import { serve } from "./testing/serve.ts";

const document = apiDocument({
  "/things": { get: { responses: {} }, post: { responses: {} } },
  "/things/purge": { get: { responses: {} } },
});
const checks = [
  aCheck({ id: "ssrf/host" }),
  aCheck({ id: "ssrf/each", subjects: ({ operations }) => operations }),
];

async function planned(spec: ScanOrder["spec"] | "at the target" | "nowhere") {
  const asked: string[] = [];
  await using server = await serve((request, response) => {
    asked.push(request.url!);
    const isDocument = spec === "at the target" && request.url === "/openapi.json";
    response.writeHead(isDocument ? 200 : 404, { "content-type": "application/json" });
    response.end(isDocument ? JSON.stringify(document) : "{}");
  });
  const made = await plan(
    {
      scanId: "test",
      url: `${server.url}/`,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
      ...(typeof spec === "object" && { spec }),
    },
    { checks, now: () => performance.now(), today: () => new Date() },
  );
  if ("code" in made) throw new Error(made.message);
  return { frames: made, asked };
}

const operations = (frames: readonly PlanFrame[]): string[] =>
  frames.flatMap((frame) =>
    frame.kind === "operation" ? [`${frame.method} ${frame.path}: ${frame.called}`] : [],
  );

describe("the plan of a scan", () => {
  it("the plan of a scan of a given document names every operation and how it is called, and sends nothing", async () => {
    const { frames, asked } = await planned({ from: "text", text: JSON.stringify(document) });
    expect(operations(frames)).toEqual([
      "GET /things: as described",
      "POST /things: so that it fails",
      "GET /things/purge: never",
    ]);
    expect(asked).toEqual([]);
    expect(frames.at(-1)).toEqual({ frame: "plan", kind: "end", requests: 0, document: true });
  });

  it("counts the subjects of each check, without the operations that are never called", async () => {
    const { frames } = await planned({ from: "text", text: JSON.stringify(document) });
    const counts = frames.flatMap((frame) => (frame.kind === "check" ? [[frame.check, frame.subjects]] : []));
    expect(counts).toEqual([
      ["ssrf/host", 1],
      ["ssrf/each", 2],
    ]);
  });

  it("the plan of a scan without a document searches for one at the target, and sends few requests once it has one", async () => {
    const { frames, asked } = await planned("at the target");
    expect(operations(frames)).toHaveLength(3);
    expect(asked.length).toBeLessThan(10);
    expect(frames.at(-1)).toMatchObject({ requests: asked.length, document: true });
  });

  it("the plan of a scan without a document anywhere reports that the operations are still to be discovered", async () => {
    const { frames, asked } = await planned("nowhere");
    expect(frames.at(-1)).toEqual({ frame: "plan", kind: "end", requests: asked.length, document: false });
    expect(asked.length).toBeLessThanOrEqual(40);
  });

  it("reports a document that cannot be read", async () => {
    const { frames } = await planned({ from: "text", text: "no document" });
    expect(frames.filter(({ kind }) => kind === "note")).toEqual([
      { frame: "plan", kind: "note", note: expect.stringContaining("could not be used") as string },
    ]);
  });
});
