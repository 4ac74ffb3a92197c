import { setFlagsFromString } from "node:v8";

/**
 * Keeps the memory of the controller near what it uses: V8 would let the heap grow to several times its contents
 * (docs/benchmarks.md). To be called once, first. The image says how large the young generation may be.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=25");
}
