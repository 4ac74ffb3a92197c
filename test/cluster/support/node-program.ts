import { readFileSync } from "node:fs";

/** Loaded into the cluster beforehand: `npm run images -- scanner-job` makes it. */
export const SCANNER_IMAGE =
  process.env["GLOVEBOX_TEST_SCANNER_IMAGE"] ?? "localhost/glovebox/scanner-job:dev";

/** A program of this folder as a container of the scanner's image, which has Node and no shell. */
export function nodeProgram(file: string, ...args: readonly string[]) {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  return {
    image: SCANNER_IMAGE,
    imagePullPolicy: "IfNotPresent",
    command: ["node", "--input-type=module", "-e", source, ...args],
    securityContext: RESTRICTED,
  };
}

/** What the level `restricted` asks of a container. */
export const RESTRICTED = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: 65532,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

/** A pod of one container that ends by itself, or with its namespace. */
export const podOf = (metadata: object, container: object, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata,
  spec: {
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    ...spec,
    containers: [{ name: "program", ...container }],
  },
});
