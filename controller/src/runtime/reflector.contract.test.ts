import { FakeKubeApiserver } from "./testing/fake-kube-apiserver.ts";
import { createTransport } from "./kube-transport.ts";
import { reflectorContract } from "./testing/reflector-contract.ts";

reflectorContract(async () => {
  const server = await FakeKubeApiserver.start();
  const config = server.config();
  return {
    transport: createTransport(config),
    namespace: "scans",
    async [Symbol.asyncDispose]() {
      await config.close();
      await server[Symbol.asyncDispose]();
    },
  };
});
