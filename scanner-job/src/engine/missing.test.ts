import { describe, expect, it } from "vitest";
import { anOperation, aSurvey } from "../testing/samples.ts";
import { missingTwin } from "./missing.ts";

const survey = aSurvey({ operations: [anOperation({ base: "/api/v1", path: "/users/{id}" })] });

describe("missingTwin", () => {
  it.each([
    ["/users/7", "/nobodymadethis/nobodymadethis"],
    ["/api/v1/users/7", "/api/v1/nobodymadethis/nobodymadethis"],
    ["/.env", "/.nobodymadethis"],
    ["/backup.sql", "/nobodymadethis.sql"],
    ["/users/?page=2", "/nobodymadethis/?page=2"],
  ])("of %s is %s", (path, twin) => {
    const { url } = missingTwin({ method: "GET", url: `https://api.example${path}` }, survey);
    expect(url).toBe(`https://api.example${twin}`);
  });

  it("keeps the method, the headers and the body", () => {
    const request = {
      method: "PUT",
      url: "https://api.example/a",
      headers: { accept: "*/*" },
      body: "{",
      harmlessBecause: "no such path",
    };
    expect(missingTwin(request, survey)).toMatchObject({
      method: "PUT",
      headers: { accept: "*/*" },
      body: "{",
    });
  });
});
