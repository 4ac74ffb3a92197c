import { expect, test } from "vitest";
import { UserError, listening } from "./command-line.ts";

const settings = { port: "PORT", host: "GLOVEBOX_HOST", address: "192.0.2.1:8080" };
const failing = (code: string) => () => Promise.reject(Object.assign(new Error("listen"), { code }));

test.each([
  ["EADDRINUSE", "PORT: 192.0.2.1:8080 is in use by another program."],
  ["EACCES", "PORT: 192.0.2.1:8080 requires a permission that this user does not have."],
  ["EADDRNOTAVAIL", "GLOVEBOX_HOST: 192.0.2.1:8080 is not an address of this machine."],
  ["ENOTFOUND", "GLOVEBOX_HOST: 192.0.2.1:8080 cannot be resolved."],
])("%s names the setting to change", async (code, message) => {
  await expect(listening(settings, failing(code))).rejects.toThrow(new UserError(message));
});

test("any other failure is passed on as it is", async () => {
  await expect(listening(settings, failing("EMFILE"))).rejects.toMatchObject({ code: "EMFILE" });
});
