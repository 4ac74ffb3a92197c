import { expect, test } from "vitest";
import { CanaryUnreachable, startCanary } from "./canary.ts";

const address = "127.0.0.1";

test("a canary that lives proves that it can be reached", async () => {
  const canary = await startCanary({ address, port: 0, host: address });
  await expect(canary.prove()).resolves.toBeUndefined();
  await canary.close();
});

test("a canary that was closed proves nothing", async () => {
  const canary = await startCanary({ address, port: 0, host: address });
  await canary.close();
  await expect(canary.prove()).rejects.toBeInstanceOf(CanaryUnreachable);
});

test("another listener in its place is not taken for it", async () => {
  const canary = await startCanary({ address, port: 0, host: address });
  await canary.close();
  const impostor = await startCanary({ address, port: canary.port, host: address });
  await expect(canary.prove()).rejects.toBeInstanceOf(CanaryUnreachable);
  await impostor.close();
});
