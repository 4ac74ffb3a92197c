import * as z from "zod";

/*
 * What clients may send as text and as moments: everything that passes can be stored by PostgreSQL, as text, in JSON and as a time. Every
 * name, description, filter and date of an input is made of these.
 */

const NO_CONTROL = "must not contain control characters";
const NO_SURROGATE = "must not contain a lone surrogate";

/** Text of one line: no control character (Unicode category Cc, NUL among them) and no lone surrogate. */
export const inputText = z
  .string()
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, NO_CONTROL)
  .refine((text) => text.isWellFormed(), NO_SURROGATE);

/** The same with line breaks and tabs. */
export const inputLines = z
  .string()
  .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$/, NO_CONTROL)
  .refine((text) => text.isWellFormed(), NO_SURROGATE);

/** A name that somebody gives to something of theirs. */
export const inputName = inputText.trim().min(1, "is required").max(100);

const FIRST = Date.UTC(1970, 0, 1);
/** In every time zone and after every rounding still a year of four digits. */
const LAST = Date.UTC(9999, 0, 1);

/** A moment in ISO 8601, in the years 1970 to 9998. */
export const inputMoment = (options: { readonly offset?: boolean } = {}) =>
  z.iso.datetime({ ...options, abort: true }).refine((text) => {
    const at = Date.parse(text);
    return at >= FIRST && at < LAST;
  }, "must be in the years 1970 to 9998");

const MAX_EMAIL = 254;

/**
 * An e-mail address in the one form that is stored, compared and counted: trimmed and in lower case. ASCII only (`z.email`), so that
 * no two spellings are one address to PostgreSQL or to us and not to the other.
 */
export const inputEmail = z
  .string()
  .trim()
  .pipe(z.email("must be an e-mail address").max(MAX_EMAIL))
  .transform((address) => address.toLowerCase());

/** The normal form of an e-mail address, by which users are found; undefined for what is none. */
export const normalEmail = (text: string): string | undefined => inputEmail.safeParse(text).data;
