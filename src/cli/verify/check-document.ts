import { validate } from '../../canonical/check/validate.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { InterlinguaError } from '../../errors.ts'
import { isEqualJson, stableStringify } from '../../wire/json.ts'
import { encodeContent } from '../convert/conversion.ts'
import { formatReason } from '../error-output.ts'
import { type DocumentContent, getMessages, readDocument } from '../input/document.ts'
import type { Part } from '../../canonical/model/part.ts'

/** The words and calls of a conversation, as text to compare: what no translation may lose in silence. */
export function extractComparableText(messages: Iterable<Message>): string {
  const texts: string[] = []
  for (const { content } of messages) texts.push(...content.flatMap((part: Part) => extractPartTexts(part)))
  return texts.filter((each) => each !== '').join('\n')
}

function extractPartTexts(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return [part.text]
    case 'tool-call':
      return [`${part.name} ${part.invalidArguments ?? stableStringify(part.arguments ?? {})}`]
    case 'tool-result':
      return part.content.flatMap(extractPartTexts)
    case 'json':
      return [stableStringify(part.value)]
    case 'reasoning':
    case 'opaque':
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return []
  }
}

/** What must hold for everything that is verified, by id. */
export const VERIFY_RULES = {
  'own-exact': 'Written back in its own format, it is the same JSON.',
  'own-lossless': 'Written back in its own format, nothing is lost.',
  readable: 'What is written in another format can be read in it.',
  stable: 'Read there and written again, it is the same JSON.',
  accepted: 'What is written breaks no rule of the format, unless the conversation was broken before.',
  told: 'Words and calls that did not cross are told as a loss or a note.',
} as const

export type VerifyRuleId = keyof typeof VERIFY_RULES

/** A place where a rule is broken. */
export interface RuleViolation {
  readonly location: string
  /** The format that was written. */
  readonly to: string
  readonly detail: string
}

/** What one crossing gave: what was lost, what is broken, or that it was refused by name. */
export interface TranslationCheck {
  readonly to: DialectName
  readonly losses: readonly Loss[]
  readonly violations: readonly (readonly [rule: VerifyRuleId, detail: string])[]
  readonly refusedWith?: string
}

const DIALECT_NAMES = Object.keys(dialects) as readonly DialectName[]

/** A document read and written in every format. */
export function checkTranslations(
  content: DocumentContent,
  from: DialectName | undefined,
  wire: unknown,
): readonly TranslationCheck[] {
  return DIALECT_NAMES.map((to) => {
    try {
      const written = encodeContent(content, { to })
      const violations =
        to === from ? findOwnFormatFaults(written, wire) : findTranslationFaults(content, to, written)
      return { to, losses: written.losses, violations }
    } catch (error) {
      // What only a provider's server holds is refused by name: that is a promise kept, not one broken.
      if (error instanceof InterlinguaError)
        return { to, losses: [], violations: [], refusedWith: error.code }
      return { to, losses: [], violations: [['readable', formatReason(error)]] }
    }
  })
}

function findOwnFormatFaults(
  { value, losses }: Translation<unknown>,
  wire: unknown,
): TranslationCheck['violations'] {
  return [
    ...(isEqualJson(value, wire) ? [] : [['own-exact', 'another JSON'] as const]),
    ...losses.slice(0, 1).map(({ rule, path }) => ['own-lossless', `${rule} at ${path}`] as const),
  ]
}

/** What is wrong with a document as it was written in another format. */
export function findTranslationFaults(
  content: DocumentContent,
  to: DialectName,
  written: Translation<unknown>,
): TranslationCheck['violations'] {
  const kind = content.kind === 'response' ? 'response' : 'request'
  let back: DocumentContent
  try {
    back = readDocument(written.value, { from: to, kind }).content
  } catch (error) {
    return [['readable', formatReason(error)]]
  }
  const again = encodeContent(back, { to })
  const faults = kind === 'request' ? findNewProblems(getMessages(content), getMessages(back), to) : []
  const isSilent =
    written.losses.length === 0 &&
    extractComparableText(getMessages(content)) !== extractComparableText(getMessages(back))
  return [
    ...(isEqualJson(again.value, written.value) ? [] : [['stable', 'another JSON'] as const]),
    ...faults.slice(0, 1).map((fault) => ['accepted', fault] as const),
    ...(isSilent ? [['told', 'other words, and nothing told'] as const] : []),
  ]
}

/** The rules of the target that the written conversation breaks, where the one that was read broke none. */
function findNewProblems(
  before: readonly Message[],
  after: readonly Message[],
  to: DialectName,
): readonly string[] {
  const isBroken = validate(before).some(({ severity }) => severity === 'error')
  if (isBroken) return []
  return validate(after, dialects[to])
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, path }) => `${rule} at ${path}`)
}
