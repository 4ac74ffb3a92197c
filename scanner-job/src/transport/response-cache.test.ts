import { expect, it } from "vitest";
import { ResponseCache } from "./response-cache.ts";
import { aResponse } from "../testing/samples.ts";

it("a response that was cut is requested again, once for all that ask for it", async () => {
  const cache = new ResponseCache({ isStale: ({ isCut }: ReturnType<typeof aResponse>) => isCut });
  let sent = 0;
  const send = () => Promise.resolve(aResponse({ body: String(++sent).repeat(10_000) }));
  const first = await cache.get(["GET"], send);
  await expect(cache.get(["GET"], send)).resolves.toBe(first);
  first.cut();
  const [second, third] = await Promise.all([cache.get(["GET"], send), cache.get(["GET"], send)]);
  expect(second.isCut).toBe(false);
  expect(third).toBe(second);
  expect(sent).toBe(2);
});
