/** What Cohere excludes from patterns, even where it is literal text: anchors and lookarounds. */
const EXCLUDED_SYNTAX = /[\^$]|\?[=!<]/

/**
 * Converts a pattern to one that applies to the complete text: removes the anchors around it. Returns undefined for a pattern
 * that would mean something else, or that contains an anchor or a lookaround.
 */
export function toBarePattern(pattern: string): string | undefined {
  const [, bare] = /^\^([^]+)\$$/.exec(pattern) ?? []
  const isBare = bare !== undefined && !EXCLUDED_SYNTAX.test(bare) && isComplete(bare)
  return isBare ? bare : undefined
}

/** Returns true for a valid pattern that its anchors enclose: no choice as in `^a|b$`, whose sides have one anchor each. */
function isComplete(bare: string): boolean {
  try {
    // Invalid after a backslash that belongs to the removed anchor.
    new RegExp(bare, 'u')
  } catch {
    return false
  }
  let depth = 0
  for (const char of bare.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, '')) {
    if (char === '|' && depth === 0) return false
    depth += char === '(' ? 1 : char === ')' ? -1 : 0
  }
  return true
}
