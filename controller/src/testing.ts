export { createTransport } from "./runtime/kube-transport.ts";
export { PooledKubeConfig } from "./runtime/pooled-kube-config.ts";
export { type ContractClient, reflectorContract } from "./runtime/testing/reflector-contract.ts";
