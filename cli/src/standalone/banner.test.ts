import { describe, expect, test } from "vitest";
import { banner } from "./banner.ts";

const FACTS = {
  address: "http://127.0.0.1:8080",
  demoUrl: "https://127.0.0.1:8443",
  publicUrl: "http://localhost:8080",
  firstKey: { key: "gbx_key", file: "/home/o'neil/.glovebox/first-key", isNew: true },
  firstAdministratorLink: undefined,
};
const lastLine = (text: string) => text.split("\n").at(-1);

describe("what serve prints", () => {
  test("the first start shows the key, and ends in a line that scans the demo target with it", () => {
    const text = banner(FACTS);
    expect(text).toContain("API key, shown only now and kept in /home/o'neil/.glovebox/first-key: gbx_key");
    expect(lastLine(text)).toBe(
      `curl -s http://127.0.0.1:8080/v1/scan -H "Authorization: Bearer gbx_key" -H 'Content-Type: application/json' ` +
        `-d '{"url":"https://127.0.0.1:8443","specUrl":"https://127.0.0.1:8443/openapi.json"}'`,
    );
  });

  test("later starts show where the key is, and the line reads it from any path", () => {
    const text = banner({ ...FACTS, firstKey: { ...FACTS.firstKey, isNew: false } });
    expect(text).not.toContain("gbx_key");
    expect(lastLine(text)).toContain(`"Authorization: Bearer $(cat '/home/o'\\''neil/.glovebox/first-key')"`);
  });

  test("there is a link for the first administrator until there is a user", () => {
    const firstAdministratorLink = "http://localhost:8080/invitation/token";
    expect(banner({ ...FACTS, firstAdministratorLink })).toContain(
      `Dashboard: http://localhost:8080\nFirst administrator: ${firstAdministratorLink}\n`,
    );
    expect(banner(FACTS)).not.toContain("administrator");
  });

  test("no dashboard is named where browsers cannot sign in", () => {
    expect(banner({ ...FACTS, publicUrl: undefined })).not.toContain("Dashboard");
  });

  test("what serve prints without a demo target there is no line that scans it", () => {
    expect(banner({ ...FACTS, demoUrl: undefined })).not.toContain("curl");
  });
});
