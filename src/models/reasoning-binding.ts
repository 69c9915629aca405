import { findModelFamily } from './find-model-family.ts'

/** The tier and version in the name of a Claude model. A minor version has one or two digits, a date has eight. */
const versionPattern = /(fable|mythos|opus|sonnet|haiku)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/

/**
 * The other models whose bound reasoning a model reads.
 * Source: platform.claude.com/docs/build-with-claude/preserved-thinking
 */
const readableModels: ReadonlyMap<string, readonly string[]> = new Map([
  ['fable-5-1', ['opus-5', 'opus-5-5']],
])

/** Returns the tier and version of a model, as `opus-5-5`; undefined for a name without them. */
function readVersion(model = ''): string | undefined {
  const [, tier, ...numbers] = versionPattern.exec(model.toLowerCase()) ?? []
  return tier && [tier, ...numbers.filter((number) => number !== undefined)].join('-')
}

/**
 * Returns true if a model accepts signed reasoning only after the exact conversation that produced it.
 *
 * @example
 * isReasoningBound('claude-opus-5-5') // true
 */
export function isReasoningBound(model: string | undefined): boolean {
  if (model === undefined || readVersion(model) === undefined) return false
  return findModelFamily(model)?.bindsReasoning === true
}

/**
 * Returns true if a model accepts the signed reasoning of another model of the same vendor.
 *
 * @example
 * canReadReasoning('claude-fable-5-1', 'claude-opus-5') // true
 */
export function canReadReasoning(model: string | undefined, producer: string): boolean {
  const [reader, writer] = [readVersion(model), readVersion(producer)]
  const isBound = isReasoningBound(model) || isReasoningBound(producer)
  if (reader === undefined || writer === undefined || !isBound) return true
  return reader === writer || readableModels.get(reader)?.includes(writer) === true
}
