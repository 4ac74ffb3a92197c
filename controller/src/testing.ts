export { type ContractClient, reflectorContract } from "./runtime/testing/reflector-contract.ts";
