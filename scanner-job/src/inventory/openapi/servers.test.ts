import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json.ts";
import { SpecReader, type SpecVersion } from "./reader.ts";
import { baseOf, possibleBases, serversOf } from "./servers.ts";

const T = "https://api.test/v1/users";

describe("baseOf", () => {
  it.each<[string, string[], string, string, boolean]>([
    ["the server at the target", ["https://other.test/a", "https://api.test/v1/"], T, "/v1", true],
    [
      "the longest path around the target's",
      ["https://api.test/", "https://api.test/v1", "https://api.test/v2"],
      T,
      "/v1",
      true,
    ],
    [
      "the first at the target when none is around its path",
      ["https://api.test/v3", "https://api.test/v2"],
      T,
      "/v3",
      true,
    ],
    ["the same host, regardless of the scheme", ["http://api.test/v1"], T, "/v1", true],
    ["the root where the document names no server", [], T, "", true],
    [
      "the path of the first where none is the target",
      ["https://prod.test/api", "https://b.test/x"],
      T,
      "/api",
      false,
    ],
    [
      "the target's path where a gateway added a prefix",
      ["https://prod.test/v1"],
      "https://a.test/gw/v1",
      "/gw/v1",
      false,
    ],
    ["another port as another host", ["https://api.test:8443/v1"], T, "/v1", false],
  ])("takes %s", (_, servers, target, base, matches) => {
    expect(baseOf(servers, target)).toEqual({ base, matches });
  });
});

describe("serversOf", () => {
  const source = { origin: "https://docs.test/specs/api.json", targetUrl: T };
  const cases: [string, SpecVersion, JsonObject, string, string[]][] = [
    [
      "relative to the document",
      "3.0",
      { servers: [{ url: "../v2" }] },
      source.origin,
      ["https://docs.test/v2"],
    ],
    [
      "relative to the target without an address",
      "3.0",
      { servers: [{ url: "/v2" }] },
      "the order",
      ["https://api.test/v2"],
    ],
    [
      "variables by their defaults",
      "3.1",
      {
        servers: [{ url: "https://{h}.test:{p}/", variables: { h: { default: "x" }, p: { enum: [8443] } } }],
      },
      source.origin,
      ["https://x.test:8443/"],
    ],
    [
      "no other schemes",
      "3.0",
      { servers: [{ url: "wss://a.test" }, { url: "mailto:a" }, { url: 5 }, 7] },
      "the order",
      ["https://api.test/", "https://api.test/"],
    ],
    [
      "2.0 by host, path and schemes",
      "2.0",
      { host: "a.test", basePath: "v1", schemes: ["http", "https", "ws"] },
      source.origin,
      ["http://a.test/v1", "https://a.test/v1"],
    ],
    [
      "an empty address as the root",
      "3.0",
      { servers: [{ url: "" }] },
      source.origin,
      ["https://docs.test/"],
    ],
    [
      "a host without its scheme",
      "3.1",
      { servers: [{ url: "localhost:3000/v1" }] },
      source.origin,
      ["http://localhost:3000/v1"],
    ],
    [
      "the path where the host is left open",
      "3.0",
      { servers: [{ url: "{scheme}://{host}/v1", variables: {} }] },
      source.origin,
      ["https://docs.test/v1"],
    ],
    ["2.0 without a host", "2.0", { basePath: "/v1" }, source.origin, ["https://docs.test/v1"]],
    ["2.0 with an impossible host", "2.0", { host: "a b", basePath: "/v1" }, source.origin, []],
  ];

  it.each(cases)("gives %s", (_, version, root, origin, servers) => {
    expect(serversOf(new SpecReader(root, version), [], { ...source, origin })).toEqual(servers);
  });

  it("takes the operation's before its path's and the document's", () => {
    const servers = (path: string): JsonObject => ({ servers: [{ url: path }] });
    const reader = new SpecReader(servers("/document"), "3.0");
    const at = { ...source, origin: "the order" };
    expect(serversOf(reader, [servers("/operation"), servers("/path")], at)).toEqual([
      "https://api.test/operation",
    ]);
    expect(serversOf(reader, [{}, servers("/path")], at)).toEqual(["https://api.test/path"]);
    expect(serversOf(reader, [{}, {}], at)).toEqual(["https://api.test/document"]);
  });
});

describe("possibleBases", () => {
  it("gives every value of a variable, and the document's own folder", () => {
    const servers = [
      { url: "https://a.test/{version}", variables: { version: { default: "v1", enum: ["v1", "v2"] } } },
    ];
    const at = { origin: "https://a.test/docs/openapi.json", targetUrl: T };
    expect(possibleBases(new SpecReader({ servers }, "3.0"), at)).toEqual(["/v1", "/v2", "/docs"]);
    expect(possibleBases(new SpecReader({ basePath: "/api" }, "2.0"), at)).toEqual(["/api", "/docs"]);
  });
});
