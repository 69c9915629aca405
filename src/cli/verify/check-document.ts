import { validate } from '../../canonical/check/validate.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { knownDialects } from '../registry.ts'
import { InterlinguaError } from '../../errors.ts'
import { findRequestProblems } from '../../testing/providers/index.ts'
import { isEqualJson, isObject, stableStringify } from '../../wire/json.ts'
import { encodeInputDocument } from '../convert/encode-input-document.ts'
import { formatErrorMessage } from '../error-output.ts'
import { decodeBody, type DocumentContent, getDocumentMessages } from '../input/input-document.ts'
import { type FormatName, FROM_OPTION_EVIDENCE, type InputFormatName } from '../input/input-format-names.ts'
import type { Part } from '../../canonical/model/part.ts'

/** Returns the text and tool calls of a conversation: no translation may lose them without a report. */
export function extractComparableText(messages: Iterable<Message>): string {
  const texts: string[] = []
  for (const { content } of messages)
    for (const part of content as readonly Part[]) for (const text of extractPartTexts(part)) texts.push(text)
  return texts.filter((each) => each !== '').join('\n')
}

function extractPartTexts(part: Part): readonly string[] {
  if ('source' in part) return []
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
      return []
  }
}

/** The rules that every verified document must satisfy, by id. */
export const VERIFY_RULES = {
  'own-exact': 'Encoding it in its own format yields the same JSON.',
  'own-lossless': 'Encoding it in its own format loses nothing.',
  readable: 'Its translation can be decoded.',
  stable: 'Decoding and encoding its translation yields the same JSON.',
  accepted:
    'The provider of the target format accepts its translation, unless the input was already invalid.',
  reported: 'Lost text and tool calls are reported as a loss or a note.',
} as const

export type VerifyRuleId = keyof typeof VERIFY_RULES

/** A violation of a rule and its location. */
export interface RuleViolation {
  readonly location: string
  /** The target format. */
  readonly to: string
  readonly detail: string
}

export type Violations = readonly (readonly [rule: VerifyRuleId, detail: string])[]

/** The result of one translation: its losses and rule violations, or the error that refused it. */
export interface TranslationCheckResult {
  readonly to: FormatName
  readonly losses: readonly Loss[]
  readonly violations: Violations
  readonly refusedWith?: string
}

/** Returns the names of the dialects, with those of `--registry`. */
export function listDialectNames(): readonly DialectName[] {
  return Object.keys(knownDialects) as readonly DialectName[]
}

/** Translates a document into every dialect and checks each result. */
export function checkTranslations(
  content: DocumentContent,
  from: InputFormatName,
  wire: unknown,
): readonly TranslationCheckResult[] {
  return listDialectNames().map((to) => {
    try {
      const encoded = encodeInputDocument(content, { to })
      const { value, losses } = encoded
      const violations =
        to === from
          ? findOwnFormatFaults(isEqualJson(value, wire) ? undefined : 'the JSON differs', losses)
          : findTranslationFaults(content, to, encoded)
      return { to, losses, violations }
    } catch (error) {
      return createFailedTranslationCheck(to, [], error)
    }
  })
}

/** Decodes a body of a known format: recorded, or just encoded. */
export function decodeKnownBody(body: unknown, name: FormatName, kind: Detection['kind']): DocumentContent {
  return decodeBody({ body, detected: { name, kind, certainty: 1, evidence: FROM_OPTION_EVIDENCE } }).content
}

/** Returns the check of a failed translation. An error with a code is a refusal, not a violation. */
export function createFailedTranslationCheck(
  to: FormatName,
  losses: readonly Loss[],
  error: unknown,
): TranslationCheckResult {
  if (error instanceof InterlinguaError) return { to, losses, violations: [], refusedWith: error.code }
  return { to, losses, violations: [['readable', formatErrorMessage(error)]] }
}

export function findOwnFormatFaults(difference: string | undefined, losses: readonly Loss[]): Violations {
  return [
    ...(difference === undefined ? [] : [['own-exact', difference] as const]),
    ...losses.slice(0, 1).map(({ rule, path }) => ['own-lossless', `${rule} at ${path}`] as const),
  ]
}

/** Returns the rule violations of a document that was encoded in another format. */
export function findTranslationFaults(
  content: DocumentContent,
  to: DialectName,
  { value, losses }: Translation<unknown>,
): Violations {
  const kind = content.kind === 'response' ? 'response' : 'request'
  let back: DocumentContent
  try {
    back = decodeKnownBody(value, to, kind)
  } catch (error) {
    return [['readable', formatErrorMessage(error)]]
  }
  const [before, after] = [getDocumentMessages(content), getDocumentMessages(back)]
  const problems = kind === 'request' ? findNewProblems(before, after, to, value) : []
  const isStable = isEqualJson(encodeInputDocument(back, { to }).value, value)
  return [
    ...(isStable ? [] : [['stable', 'the JSON differs'] as const]),
    ...problems.slice(0, 1).map((problem) => ['accepted', problem] as const),
    ...findSilentLoss(before, after, losses),
  ]
}

export function findSilentLoss(
  before: readonly Message[],
  after: readonly Message[],
  losses: readonly Loss[],
): Violations {
  const isSilent = losses.length === 0 && extractComparableText(before) !== extractComparableText(after)
  return isSilent ? [['reported', 'the text differs, and no loss was reported']] : []
}

function findNewProblems(
  before: readonly Message[],
  after: readonly Message[],
  to: DialectName,
  body: unknown,
): readonly string[] {
  const wasInvalid = validate(before).some(({ severity }) => severity === 'error')
  if (wasInvalid) return []
  const problems = validate(after, knownDialects[to]).filter(({ severity }) => severity === 'error')
  // A request of Gemini has its model in the path, which a file does not contain.
  const refusals = findRequestProblems(to, isObject(body) ? { model: '', ...body } : body)
  return [...problems, ...refusals].map(({ rule, path, message }) => `${rule} at ${path}: ${message.trim()}`)
}
