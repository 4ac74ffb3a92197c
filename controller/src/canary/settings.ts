import { setting, wholeNumber } from "@glovebox/settings";
import { parseAddresses, parsePlaces } from "./places.ts";

export const CANARY_SETTINGS = {
  addresses: setting({
    variable: "POD_IPS",
    type: "list of IP addresses, with commas",
    meaning: "Addresses of its pod, at which it listens. It must be set.",
    parse: parseAddresses,
  }),
  port: setting({
    variable: "GLOVEBOX_CANARY_PORT",
    type: "port number",
    default: "8099",
    meaning: "Its port; 0 takes any free one.",
    parse: wholeNumber(0, 65_535),
  }),
  peers: setting({
    variable: "GLOVEBOX_CANARIES",
    type: "list of host:port, with commas",
    meaning: "Where the other canaries are, and perhaps itself: it calls them every second. Unset: nowhere.",
    parse: parsePlaces,
  }),
};
