import { describe, expect, test } from "vitest";
import { oneOf, optional, postgresUrl, wholeNumber } from "./parsers.ts";
import { SettingsError, readSettings, setting } from "./setting.ts";

const TABLE = {
  port: setting({
    variable: "PORT",
    type: "port number",
    default: "8080",
    description: "",
    parse: wholeNumber(0, 65_535),
  }),
  migrate: setting({
    variable: "GLOVEBOX_MIGRATE",
    type: "off or auto",
    default: "off",
    description: "",
    parse: oneOf("off", "auto"),
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    type: "postgres:// URL",
    description: "",
    secret: true,
    parse: optional(postgresUrl),
  }),
};

describe("readSettings", () => {
  test.each<[string, NodeJS.ProcessEnv]>([
    ["unset", {}],
    ["empty", { PORT: "", GLOVEBOX_MIGRATE: "", DATABASE_URL: "" }],
  ])("gives the default where a variable is %s, and undefined where there is none", (_, environment) => {
    const { settings, warnings } = readSettings(TABLE, environment);
    expect(settings).toEqual({ port: 8080, migrate: "off", databaseUrl: undefined });
    expect(warnings).toEqual([]);
  });

  test("refuses the first variable of the table that cannot be used, by its name and the reason", () => {
    const read = () => readSettings(TABLE, { GLOVEBOX_MIGRATE: "on", PORT: "http" });
    expect(read).toThrow(new SettingsError("PORT: must be a whole number from 0 to 65535"));
  });

  test("readSettings does not repeat the value of a secret in the reason", () => {
    const read = () => readSettings(TABLE, { DATABASE_URL: "mysql://user:opensesame@db" });
    expect(read).toThrow(
      new SettingsError("DATABASE_URL: must be a URL that starts with postgres:// or postgresql://"),
    );
  });

  test("reads the named settings only", () => {
    expect(readSettings(TABLE, { PORT: "http" }, ["migrate"]).settings).toEqual({ migrate: "off" });
  });

  test("warns of a GLOVEBOX_ variable that is not in the table, with the one it most likely means", () => {
    const { warnings } = readSettings(TABLE, { GLOVEBOX_MIGRAT: "auto", GLOVEBOX_Q: "1", HOME: "/root" });
    expect(warnings).toEqual([
      "GLOVEBOX_MIGRAT is not a setting and is ignored; did you mean GLOVEBOX_MIGRATE?",
      "GLOVEBOX_Q is not a setting and is ignored",
    ]);
  });
});
