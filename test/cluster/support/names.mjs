// Loaded before a program: TEST_HOSTS (JSON, by name) is what its lookups find. An address, several, or, for a name that
// rebinds, `{"first": …, "later": …}`: what its first lookup finds, and all others.
import { Resolver } from "node:dns/promises";

const hosts = JSON.parse(process.env.TEST_HOSTS ?? "{}");

/** Replaces the look-up of one family. */
function answer(method, isOfFamily) {
  const ask = Resolver.prototype[method];
  const asked = new Set();
  Resolver.prototype[method] = async function (name) {
    if (!(name in hosts)) return ask.call(this, name);
    const { first = hosts[name], later = hosts[name] } = hosts[name];
    const found = asked.has(name) ? later : first;
    asked.add(name);
    return [found].flat().filter(isOfFamily);
  };
}

answer("resolve4", (address) => !address.includes(":"));
answer("resolve6", (address) => address.includes(":"));
