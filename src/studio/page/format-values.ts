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

/** Formats a number with its noun. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** Formats a cost. Most answers cost less than a cent. */
export function formatCost(amount: number, currency: string): string {
  return `${amount.toFixed(amount < 0.1 ? 5 : 2)} ${currency}`
}

/** Formats a duration: those below ten milliseconds have a decimal. */
export function formatMs(durationMs: number): string {
  return `${durationMs < 10 ? Number(durationMs.toFixed(1)) : Math.round(durationMs)}\u00a0ms`
}
