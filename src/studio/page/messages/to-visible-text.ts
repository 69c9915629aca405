/**
 * Control characters except tab and line feed, characters that change the direction of the text around them, and invisible
 * ones that can hide text from readers but not from models.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- These are the characters that are made visible.
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E01EF}]/gu

/** Makes characters visible that could hide or reorder text, or that control a terminal when the text is copied. */
export function toVisibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}
