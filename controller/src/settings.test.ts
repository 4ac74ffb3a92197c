import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Setting } from "@glovebox/settings";
import { afterAll, describe, expect, test } from "vitest";
import { CONTROLLER_SETTINGS, readControllerSettings } from "./settings.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const needed = {
  DATABASE_URL: "postgres://db/glovebox",
  POD_IP: "10.0.0.9",
  GLOVEBOX_CANARIES: "canary:8099",
  SCANNER_IMAGE: "scanner:1",
};
const read = (environment: Record<string, string>) =>
  readControllerSettings({ ...needed, ...environment }).settings;

describe("settings", () => {
  test("settings have a default for all but the database, the address of the pod, the canaries and the scanner's image", () => {
    expect(read({})).toMatchObject({
      namespace: "glovebox-scans",
      canaries: [{ host: "canary", port: 8099 }],
      scanNamespaces: [],
      maxConcurrentScans: 10,
      pod: { image: "scanner:1", resources: { cpu: "500m" } },
    });
  });

  test("settings are documented with the value that they have when unset", () => {
    const rows = Object.values<Setting<unknown>>(CONTROLLER_SETTINGS).filter(
      (row) => row.default !== undefined,
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(read(Object.fromEntries(rows.map((row) => [row.variable, row.default!])))).toEqual(read({}));
  });

  test("take the pod's options from the file, and single ones from their variables", () => {
    const scanner = file(
      "scanner.json",
      '{"image": "of-the-file", "runtimeClassName": "gvisor", "userNamespace": true}',
    );
    const { pod } = read({ GLOVEBOX_SCANNER_FILE: scanner, GLOVEBOX_RUNTIME_CLASS: "kata" });
    expect(pod).toMatchObject({ image: "scanner:1", runtimeClassName: "kata", userNamespace: true });
    expect(read({ GLOVEBOX_SCANNER_FILE: scanner, SCANNER_IMAGE: "" }).pod.image).toBe("of-the-file");
    expect(pod).not.toHaveProperty("extraCaConfigMap");
    expect(read({ GLOVEBOX_EXTRA_CA_CONFIG_MAP: "our-ca" }).pod.extraCaConfigMap).toBe("our-ca");
  });

  test("warn of a GLOVEBOX_ variable that is not a setting, with the one it most likely means", () => {
    expect(readControllerSettings({ ...needed, GLOVEBOX_EGRES_DENY: "10.0.0.0/8" }).warnings).toEqual([
      "GLOVEBOX_EGRES_DENY is not a setting and is ignored; did you mean GLOVEBOX_EGRESS_DENY?",
    ]);
  });

  test("read lists of ranges, with commas or spaces", () => {
    const settings = read({
      GLOVEBOX_EGRESS_DENY: "192.0.2.0/24, 2001:db8::/32",
      GLOVEBOX_CLUSTER_CIDRS: "10.0.0.0/8",
    });
    expect(settings.egressDeny).toEqual(["192.0.2.0/24", "2001:db8::/32"]);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "no database",
      { DATABASE_URL: "" },
      "DATABASE_URL: must be a URL that starts with postgres:// or postgresql://",
    ],
    ["no address", { POD_IP: "pod" }, "POD_IP: must be an IP address"],
    [
      "no image",
      { SCANNER_IMAGE: "" },
      "SCANNER_IMAGE: must be set, or the image in the file of GLOVEBOX_SCANNER_FILE",
    ],
    ["no canaries", { GLOVEBOX_CANARIES: "" }, "GLOVEBOX_CANARIES: must be set"],
    [
      "a canary without a port",
      { GLOVEBOX_CANARIES: "canary" },
      "GLOVEBOX_CANARIES: must be a comma-separated list of host:port",
    ],
    ["a number that is none", { PORT: "http" }, "PORT: must be a whole number from 0 to 65535"],
    [
      "a range that is none",
      { GLOVEBOX_CLUSTER_CIDRS: "10/8" },
      'GLOVEBOX_CLUSTER_CIDRS: "10/8" is not a CIDR or an address',
    ],
    [
      "an allowance that is none",
      { GLOVEBOX_EGRESS_ALLOW: "shop" },
      'GLOVEBOX_EGRESS_ALLOW: "shop" is neither a CIDR nor an address, and a host needs a port',
    ],
    [
      "a file that is not there",
      { GLOVEBOX_SCANNER_FILE: "/no/such" },
      "GLOVEBOX_SCANNER_FILE: /no/such: cannot be read (ENOENT)",
    ],
    [
      "a name that no ConfigMap can have",
      { GLOVEBOX_EXTRA_CA_CONFIG_MAP: "/etc/ca.pem" },
      "GLOVEBOX_EXTRA_CA_CONFIG_MAP: must be the name of an object",
    ],
  ])("settings with %s are refused by name", (_, environment, message) => {
    expect(() => read(environment)).toThrow(message);
  });

  test("refuse a misspelt option of the pod, which would be missing from what isolates it", () => {
    const scanner = file("misspelt.json", '{"runtimeClass": "gvisor"}');
    expect(() => read({ GLOVEBOX_SCANNER_FILE: scanner })).toThrow(/Unrecognized key: "runtimeClass"/);
  });
});
