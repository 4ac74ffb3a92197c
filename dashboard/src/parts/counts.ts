/** Lists and numbers are counted exactly up to here (as `MAX_TOTAL` of the store). */
export const MAX_COUNTED = 10_000;

/** A number as it is read, such as `1,234`; `10,000+` for what is not counted to its end. */
export const countText = (count: number, hasMore = count > MAX_COUNTED): string =>
  hasMore ? `${Math.min(count, MAX_COUNTED).toLocaleString("en")}+` : count.toLocaleString("en");

/** Such as `1 finding` and `1,234 findings`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count, false)} ${count === 1 ? one : many}`;
