import type { DialectName } from 'interlingua'

/** Fields that an official client adds with the value that the server uses without them. */
const addedDefaults: { readonly [name in DialectName]?: readonly RegExp[] } = {
  gemini: [/^generationConfig=\{\}$/],
  ollama: [/^stream=true$/],
  cohere: [/^stream=false$/],
  mistral: [
    /^stream=false$/,
    /^messages\[\d+\]\.prefix=false$/,
    /^messages\[\d+\]\.tool_calls\[\d+\]\.index=0$/,
    /^guardrails\[\d+\]\.moderation_llm_v2\.(?:model_name="mistral-moderation-2603"|ignore_other_categories=false)$/,
  ],
}

function collectLeaves(value: unknown, path: string, leaves: Map<string, string>): Map<string, string> {
  const isComposite = typeof value === 'object' && value !== null
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : isComposite
      ? Object.entries(value)
      : []
  if (entries.length === 0) leaves.set(path, JSON.stringify(value))
  for (const [key, each] of entries) {
    const place = typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    collectLeaves(each, place, leaves)
  }
  return leaves
}

/** A place at which a sent body differs from the expected one. */
export interface SentDifference {
  readonly place: string
  readonly expected: string | undefined
  readonly sent: string | undefined
}

/**
 * Returns the differences of a sent body. Those that mean the same to the server are none: an added default, and a null
 * that is omitted.
 */
export function listSentDifferences(name: DialectName, expected: unknown, sent: unknown): SentDifference[] {
  const expectedLeaves = collectLeaves(expected, '', new Map())
  const sentLeaves = collectLeaves(sent, '', new Map())
  const isDefault = (place: string): boolean =>
    addedDefaults[name]?.some((pattern) => pattern.test(`${place}=${sentLeaves.get(place)}`)) === true
  const differences: SentDifference[] = []
  for (const place of new Set([...expectedLeaves.keys(), ...sentLeaves.keys()])) {
    const [before, after] = [expectedLeaves.get(place), sentLeaves.get(place)]
    const isUnset = before === undefined || before === 'null'
    if (before !== after && !(isUnset && (after === undefined || isDefault(place))))
      differences.push({ place, expected: before, sent: after })
  }
  return differences
}

/** Returns true if a place is one of those listed, or inside of one, or contains one. */
export function isListed(place: string, listed: readonly string[]): boolean {
  const isInside = (inner: string, outer: string): boolean =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)
  return listed.some((each) => isInside(place, each) || isInside(each, place))
}
