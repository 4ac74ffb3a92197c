export { createFakeClock } from "./fake-clock.ts";
export type { FakeClock } from "./fake-clock.ts";
export { FakeCollection } from "./fake-collection.ts";
export type { FakeObject } from "./fake-collection.ts";
export { FakeKubeApiserver, refuse } from "./fake-kube-apiserver.ts";
export type { Fault, SeenRequest } from "./fake-kube-apiserver.ts";
export { selfSigned, type SelfSigned } from "./self-signed.ts";
