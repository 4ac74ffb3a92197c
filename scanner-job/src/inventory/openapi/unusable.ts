/** The document cannot be read at all; the message is for the reader of the report. */
export class UnusableDocument extends Error {
  override readonly name = "UnusableDocument";
}
