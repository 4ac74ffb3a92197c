// Loaded before the controller: TEST_HOSTS (JSON, address by name) is what its lookups find.
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";

const hosts = JSON.parse(process.env.TEST_HOSTS ?? "{}");
const { lookup } = dns;
dns.lookup = async (name, options) =>
  name in hosts ? [{ address: hosts[name], family: 4 }] : lookup(name, options);
syncBuiltinESMExports();
