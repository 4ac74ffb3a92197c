import { inputText } from "@glovebox/contract";
import { MAX_TOTAL, type ListPage } from "@glovebox/store";
import * as z from "zod";

/** A row as JSON has it: each date as text in ISO 8601. */
export type DatesAsText<T> = { readonly [K in keyof T]: T[K] extends Date ? string : DateOrNull<T[K]> };
type DateOrNull<V> = V extends Date ? string : V;

/** One page. */
export interface ListOf<T> {
  readonly items: T[];
  /** Of all pages; where `hasMore`, there are more than these. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** The fields of an input that has pages. */
export const page = {
  limit: z.int().min(1).max(100).default(50),
  offset: z.int().min(0).max(MAX_TOTAL).default(0),
};

export const textFilter = inputText.trim().min(1).max(200).optional();

export function dated<T extends object>(row: T): DatesAsText<T> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : (value as unknown),
  ]);
  return Object.fromEntries(entries) as DatesAsText<T>;
}

export const listed = <T extends object>({ rows, total, hasMore }: ListPage<T>): ListOf<DatesAsText<T>> => ({
  items: rows.map(dated),
  total,
  hasMore,
});
