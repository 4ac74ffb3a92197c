import { describe, expect, it } from "vitest";
import { aTargetProfile } from "../testing/samples.ts";
import { BYPASSES } from "./bypasses.ts";

const request = {
  method: "GET",
  url: "https://api.example/v2/admin/audit?page=1",
  headers: { accept: "*/*" },
};
const sent = BYPASSES.map(({ disguise }) => disguise(request, aTargetProfile()));

describe("bypasses", () => {
  it("name the path in headers of a request to elsewhere", () => {
    expect(sent[0]).toMatchObject({
      url: "https://api.example/",
      headers: {
        accept: "*/*",
        "x-original-url": "/v2/admin/audit?page=1",
        "x-rewrite-url": "/v2/admin/audit?page=1",
      },
    });
    expect(sent[1]).toMatchObject({ url: "https://api.example/nobodymadethis" });
  });

  it("claim to come from the server itself", () => {
    expect(sent[2]).toMatchObject({ url: request.url, headers: { "x-forwarded-for": "127.0.0.1" } });
  });

  it("spell the path otherwise and keep the query", () => {
    expect(sent.slice(3).map(({ rawPath }) => rawPath)).toEqual([
      "//v2/admin/audit?page=1",
      "/%2e/v2/admin/audit?page=1",
      "/v2/admin/audit;?page=1",
      "/v2/admin/none/..;/audit?page=1",
      "/v2/admin/audit/?page=1",
      "/v2/admin/AUDIT?page=1",
      "/v2/admin/audi%74?page=1",
    ]);
  });

  it("only ever read", () => {
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });
});
