import type { ReasoningFacts } from '../engine/reasoning-origin.ts'
import { DIALECT_VENDOR } from './constants.ts'

/** The family and version in the name of a Claude model. A minor version has one or two digits, a date has eight. */
const familyPattern = /(fable|mythos|opus|sonnet|haiku)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/

/**
 * The first version whose thinking blocks are bound to the model and to everything before them: the system text, the tools and
 * the messages. The API drops a block that the model cannot read, and rejects a block whose prefix has changed (400, for
 * accounts since 2026-08-31). Source: platform.claude.com/docs/build-with-claude/preserved-thinking
 */
const FIRST_BOUND_VERSION = { major: 5, minor: 1 } as const

/** The other models whose thinking a model reads. Source: the same page. */
const readableFamilies: ReadonlyMap<string, readonly string[]> = new Map([
  ['fable-5-1', ['opus-5', 'opus-5-5']],
])

interface ModelFamily {
  readonly key: string
  readonly isBound: boolean
}

function parseFamily(model = ''): ModelFamily | undefined {
  const match = familyPattern.exec(model.toLowerCase())
  if (match === null) return undefined
  const [, name = '', majorText = '', minorText] = match
  const major = Number(majorText)
  const { major: firstMajor, minor: firstMinor } = FIRST_BOUND_VERSION
  return {
    key: [name, majorText, ...(minorText === undefined ? [] : [minorText])].join('-'),
    isBound: major > firstMajor || (major === firstMajor && Number(minorText ?? 0) >= firstMinor),
  }
}

/** Facts about the thinking blocks of Claude models. */
export const reasoningFacts: ReasoningFacts = {
  signatureVendor: DIALECT_VENDOR,
  isBoundToConversation: (model) => parseFamily(model)?.isBound === true,
  canReadReasoning: (model, producer) => {
    const reader = parseFamily(model)
    const writer = parseFamily(producer)
    if (reader === undefined || writer === undefined || !(reader.isBound || writer.isBound)) return true
    return reader.key === writer.key || readableFamilies.get(reader.key)?.includes(writer.key) === true
  },
}
