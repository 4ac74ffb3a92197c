import { expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import { featuresOf, sameAs } from "./steady.ts";

const json = (value: unknown, status = 200) => aReply({ status, body: JSON.stringify(value) });

it("an answer is the same when all that is steady agrees, whatever varies", () => {
  const same = sameAs([
    featuresOf(json({ time: "12:00:01", rows: [{ a: 1 }] })),
    featuresOf(json({ time: "12:00:02", rows: [{ a: 1 }] })),
  ]);
  expect(same(featuresOf(json({ time: "12:00:03", rows: [{ a: 1 }] })))).toBe(true);
  expect(same(featuresOf(json({ time: "12:00:03", rows: [] })))).toBe(false);
  expect(same(featuresOf(json({ time: "12:00:03", rows: [{ a: 1 }] }, 404)))).toBe(false);
});

it("an answer that repeats what was sent is the same as one that repeats the ordinary value", () => {
  const same = sameAs([featuresOf(json({ query: "tea", rows: [] }))]);
  const echo = { sent: `tea" AND 'a`, ordinary: "tea" };
  expect(same(featuresOf(json({ query: echo.sent, rows: [] }), echo))).toBe(true);
  expect(same(featuresOf(json({ query: "other", rows: [] }), echo))).toBe(false);
});
