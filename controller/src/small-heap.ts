import { setFlagsFromString } from "node:v8";

/**
 * Keeps the memory of the controller near what it uses: V8 would let its young generation grow to many times what a
 * look at a scan needs, and its old one to several times its contents (docs/benchmarks.md). To be called once, first.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}
