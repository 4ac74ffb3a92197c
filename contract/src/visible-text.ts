/**
 * What is not seen, or changes how the text around it is seen: control characters, marks of direction (bidirectional overrides,
 * embeddings and isolates), separators of lines, and what Unicode has renderers ignore, such as zero-width characters and tags.
 * Line feeds, tabs and the two variation selectors of emoji are left as they are.
 */
const INVISIBLE =
  /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\ufffe\uffff\p{Cs}]/gu;

/** The text of a target with what is invisible in it shown, such as `⟦U+202E⟧`: a target cannot make it read as something else. */
export const visibleText = (text: string): string =>
  text.replace(
    INVISIBLE,
    (character) => `⟦U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟧`,
  );
