import { kubectl } from "../../cluster/support/kubectl.ts";

/** Kinds whose objects come and go by themselves. */
const RESTLESS = /^(events|leases|endpoints|endpointslices|componentstatuses|controllerrevisions)\b/;

/** Every object of the cluster that the release may have made, as `namespace/kind/name`. */
export async function allObjects(): Promise<Set<string>> {
  const listed = await kubectl(["api-resources", "--verbs=list", "--output=name"]);
  const kinds = listed.split("\n").filter((kind) => kind !== "" && !RESTLESS.test(kind));
  const columns = "custom-columns=NAMESPACE:.metadata.namespace,KIND:.kind,NAME:.metadata.name";
  const told = await kubectl(["get", kinds.join(","), "-A", "--no-headers", "--output", columns]);
  return new Set(
    told
      .split("\n")
      .filter(Boolean)
      .map((line) => line.trim().split(/\s+/).join("/")),
  );
}
