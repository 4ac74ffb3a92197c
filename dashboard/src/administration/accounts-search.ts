import { page, searchOf, text } from "../url/search-state.ts";

/** The search of the list of accounts, and its page. */
export const accountsSearch = searchOf({ q: text, page });
