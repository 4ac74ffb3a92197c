import { startController, type ControllerProcess } from "../../cluster/support/controller.ts";
import { HOST, type Fixture } from "../../cluster/support/fixture.ts";
import { deploy, type Deployment } from "./deployment.ts";

export interface Controllers extends Deployment<ControllerProcess> {
  /** The controller that was elected last, if it runs. */
  leader(): ControllerProcess | undefined;
}

export interface ControllersOptions {
  readonly replicas: number;
  readonly scannerFile: string;
  readonly onLine: (line: string) => void;
}

/** Several small scans at a time. A busy cluster may be slow to enforce policies. */
const SETTINGS = {
  GLOVEBOX_MAX_CONCURRENT_SCANS: "6",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: "6",
  GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "6",
  GLOVEBOX_ISOLATION_WAIT_SECONDS: "60",
};

export async function deployControllers(
  { databaseUrl, namespace, target, settings }: Fixture,
  { replicas, scannerFile, onLine }: ControllersOptions,
): Promise<Controllers> {
  const options = {
    ...{ databaseUrl, namespace, onLine },
    hosts: { [HOST]: target.address },
    settings: { ...settings, ...SETTINGS, GLOVEBOX_SCANNER_FILE: scannerFile },
  };
  const deployment = await deploy(replicas, () => startController(options));
  const electedAt = ({ lines }: ControllerProcess): number => {
    const line = lines.find((one) => one.includes('"msg":"elected as leader"'));
    return line === undefined ? 0 : (JSON.parse(line) as { time: number }).time;
  };
  return {
    ...deployment,
    leader() {
      const newest = deployment.running().toSorted((a, b) => electedAt(b) - electedAt(a))[0];
      return newest && electedAt(newest) > 0 ? newest : undefined;
    },
  };
}
