import { readFileSync } from "node:fs";

/** An image that the nodes have: `npm run images -- scanner-job` builds it. */
export const SCANNER_IMAGE =
  process.env["GLOVEBOX_TEST_SCANNER_IMAGE"] ?? "localhost/glovebox/scanner-job:dev";

/** A container that runs a program of this folder with the Node of the scanner's image. */
export function nodeProgram(file: string, ...args: readonly string[]) {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  return {
    image: SCANNER_IMAGE,
    imagePullPolicy: "IfNotPresent",
    command: ["node", "--input-type=module", "-e", source, ...args],
    securityContext: RESTRICTED,
  };
}

/** The security context that Pod Security `restricted` requires. */
export const RESTRICTED = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: 65532,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

/** A pod of one container that is never restarted. */
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
