// `npm run test:faults [-- VITEST OPTIONS]`: kills each part of Glovebox again and again while scans are carried out, on a
// cluster (scripts/cluster-tests.mjs) and with real PostgreSQL and Redis on this machine (docs/faults.md).
//
//   GLOVEBOX_FAULTS_SCANS   scans for each fault, at least; 50 unless set
//   GLOVEBOX_FAULTS_TIMES   how often each fault is played; 10 unless set: once at each transition, and twice anywhere
//   GLOVEBOX_FAULTS_SEED    the seed of an earlier run, which that run has printed
//   GLOVEBOX_FAULTS_LOGS    a folder for what the controllers log
//   GLOVEBOX_CLUSTER_COMPONENT   a command that takes "stop" and "start" with "kube-apiserver" and "kubelet"; without it,
//                                faults of these are left out
import { isInstalled, runOnCluster } from "./cluster-tests.mjs";

const leftOut = () =>
  process.env.GLOVEBOX_CLUSTER_COMPONENT
    ? []
    : [{ file: "test/faults/node-gone.test.ts", lack: "GLOVEBOX_CLUSTER_COMPONENT is not set" }];

if (isInstalled("redis-server", "--version")) await runOnCluster({ project: "faults", leftOut });
else {
  console.log("redis-server is not installed (apt-get install redis-server).");
  process.exitCode = 2;
}
