// Loaded before a program: TEST_HOSTS (JSON, by name) is what its lookups find. An address, several, or, for a name that
// rebinds, `{"first": …, "later": …}`: what its first lookup finds, and all others.
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";

const hosts = JSON.parse(process.env.TEST_HOSTS ?? "{}");
const asked = new Set();
const { lookup } = dns;
dns.lookup = async (name, options) => {
  if (!(name in hosts)) return lookup(name, options);
  const { first = hosts[name], later = hosts[name] } = hosts[name];
  const found = asked.has(name) ? later : first;
  asked.add(name);
  return [found].flat().map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};
syncBuiltinESMExports();
