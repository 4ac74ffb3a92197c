import { FakeKubeApiserver } from "../testing/fake-kube-apiserver.ts";
import { reflectorContract } from "../testing/reflector-contract.ts";

reflectorContract(async () => {
  const server = await FakeKubeApiserver.start();
  const client = server.client();
  return {
    transport: client.transport,
    namespace: "scans",
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
});
