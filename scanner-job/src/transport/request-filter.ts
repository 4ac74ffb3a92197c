import type { ProbeRequest } from "./exchange.ts";

/** Decides about each request before it is sent, by what the order includes and excludes. */
export interface RequestFilter {
  /** @throws NetworkError `not_selected` */
  admit(request: ProbeRequest, filters: AppliedFilters): void;
}

/** Reads that look for the document are held to what is excluded only, and the sign-in of an identity to nothing. */
export type AppliedFilters = "all" | "exclude" | "none";
