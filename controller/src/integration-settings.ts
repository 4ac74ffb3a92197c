import { oneOf, setting } from "@glovebox/settings";

const off = { type: "on or off", default: "off", parse: oneOf("on", "off") } as const;

/** Settings of what the controller does with objects of others. */
export const INTEGRATION_SETTINGS = {
  discovery: setting({
    ...off,
    variable: "GLOVEBOX_DISCOVERY",
    description:
      "Whether the annotation glovebox.dev/scan-schedule of objects in GLOVEBOX_SCAN_NAMESPACES makes a ScanSchedule for their hosts.",
  }),
  policyReports: setting({
    ...off,
    variable: "GLOVEBOX_POLICY_REPORTS",
    description:
      "Whether the results of a completed scan are written into a Report (openreports.io) in the namespace of its Scan, where the cluster has that resource.",
  }),
};
