/** Below this similarity, a name is another word and not another spelling. */
const MIN_SIMILARITY = 0.6

/** Returns the most similar name; undefined if none is similar. */
export function findNearestName(name: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((known) => ({ known, similarity: compareNames(name, known) }))
    .toSorted((a, b) => b.similarity - a.similarity)
  return best !== undefined && best.similarity >= MIN_SIMILARITY ? best.known : undefined
}

/** Returns 0 to 1: the share of the letters that two names have in common, in the same order. */
function compareNames(name: string, known: string): number {
  const a = toLetters(name)
  const b = toLetters(known)
  if (a.length + b.length === 0) return 0
  let row: readonly number[] = Array.from({ length: b.length + 1 }, () => 0)
  for (const letter of a) {
    const next = [0]
    for (let index = 0; index < b.length; index++) {
      const isSame = b[index] === letter
      next.push(isSame ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    }
    row = next
  }
  return (2 * (row[b.length] ?? 0)) / (a.length + b.length)
}

function toLetters(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

/** A shorter text occurs in too many names. */
const MIN_LETTERS = 3

const MAX_SUGGESTIONS = 3

/**
 * Returns the hint for a value that is not in a list of names: those that contain it, or else the most similar one;
 * undefined if none is similar.
 *
 * @example
 * suggestSimilarNames('ai-sdk', formats) // Use `ai-sdk-ui-messages` or `ai-sdk-model-messages`.
 */
export function suggestSimilarNames(given: unknown, names: readonly string[]): string | undefined {
  if (typeof given !== 'string') return undefined
  const letters = toLetters(given)
  const containing = names.filter(
    (name) => letters.length >= MIN_LETTERS && toLetters(name).includes(letters),
  )
  const nearest = findNearestName(given, names)
  const similar = containing.length > 0 ? containing : nearest === undefined ? [] : [nearest]
  const shown = similar.slice(0, MAX_SUGGESTIONS).map((name) => `\`${name}\``)
  return shown.length === 0 ? undefined : `Use ${shown.join(' or ')}.`
}

/** Returns the hint of {@link suggestSimilarNames}, or all names if none is similar. */
export function suggestNames(given: unknown, names: readonly string[]): string {
  return suggestSimilarNames(given, names) ?? `Use one of ${names.join(', ')}.`
}
