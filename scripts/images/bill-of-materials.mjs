// What of package-lock.json is in an image, as CycloneDX JSON.
import { spawnSync } from "node:child_process";

/**
 * The bill of materials of the image `name`, from the lockfile alone. The command is bundled of what its manifest has for
 * development, and without the embedded PostgreSQL, which is optional. Throws when npm cannot make it.
 */
export function billOfMaterials(folder, { name, workspace }) {
  const omitted = workspace === "glovebox" ? "optional" : "dev";
  const options = [
    "--sbom-format=cyclonedx",
    "--package-lock-only",
    `--omit=${omitted}`,
    `--workspace=${workspace}`,
  ];
  const { status, stdout } = spawnSync("npm", ["sbom", ...options], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (status !== 0) throw new Error(`npm sbom made no bill of materials of ${name}`);
  const bill = JSON.parse(stdout);
  const component = { ...bill.metadata.component, name: `glovebox-${name}` };
  const metadata = { ...bill.metadata, component };
  return `${JSON.stringify({ ...bill, metadata, components: bill.components.map(withoutDistribution) }, null, 2)}\n`;
}

/** The registry that a package came from is not part of its identity. */
function withoutDistribution({ externalReferences = [], ...component }) {
  const kept = externalReferences.filter(({ type }) => type !== "distribution");
  return { ...component, ...(kept.length > 0 && { externalReferences: kept }) };
}
