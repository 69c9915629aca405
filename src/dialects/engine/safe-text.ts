/** Patterns of keys and tokens that a host may repeat; the first group may be shown. */
const SECRET_PATTERNS: readonly RegExp[] = [
  /([?&](?:key|api[-_]?key|access_token|token)=)[^&\s"'<>]+/gi,
  /\b(Bearer\s+)[\w.~+/=-]{16,}/gi,
  /\b((?:sk|gsk|xai|hf)[-_]|AIza)[\w-]{16,}/g,
]

/**
 * Returns text that is safe to show: without secrets and control characters, and truncated; for an HTML page,
 * its title.
 */
export function toSafeText(value: unknown, maxLength: number): string {
  const parts = (Array.isArray(value) ? value : [value]).filter((part) =>
    ['string', 'number'].includes(typeof part),
  )
  const text = parts.join('.').slice(0, 20_000)
  const page = /^\s*<(?:!doctype|html|head|\?xml)/i.test(text)
  const plain = page ? (/<(?:title|message)\b[^<>]*>([^<]*)/i.exec(text)?.[1] ?? '') : text
  const shown = SECRET_PATTERNS.reduce((kept, secret) => kept.replace(secret, '$1***'), plain)
  const clean = shown.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()
  return clean.length <= maxLength
    ? clean
    : `${clean.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
