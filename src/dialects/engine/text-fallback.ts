import { describeResult } from '../../canonical/check/result-text.ts'
import { mediaTypeOf } from '../../canonical/build/media.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type {
  MediaPart,
  Part,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  ReasoningPart,
} from '../../canonical/model/part.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import type { DialectLossRule } from '../../canonical/losses/catalog.ts'

/** Wraps reasoning text in a tag that identifies it. */
export function wrapReasoningText(text: string): string {
  return `<thinking>\n${text}\n</thinking>`
}

/** Returns the rule for omitted reasoning: without a text, neither the model nor the user misses anything. */
export function getOmittedReasoningRule(text: string): DialectLossRule {
  return text.trim() === '' ? 'hidden-reasoning' : 'foreign-reasoning'
}

/** Returns reasoning as text for a target that does not accept it; undefined if it is omitted. Reports either case. */
export function createReasoningTextFallback(
  { text }: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  const isShown = context.options.foreignReasoning === 'text' && text !== ''
  context.report(isShown ? 'reasoning-as-text' : getOmittedReasoningRule(text), path)
  return isShown ? wrapReasoningText(text) : undefined
}

/** Describes media for a target that does not support it: its type, name, location and text. */
function describeMedia(part: MediaPart): string {
  const { source } = part
  // A data URL contains only bytes, which are not readable.
  const link = source.kind === 'url' && !/^data:/i.test(source.url) ? source.url : ''
  const location =
    source.kind === 'url' ? link : source.kind === 'id' ? `${source.provider} file ${source.id}` : ''
  const details = [part.name, mediaTypeOf(part), location, part.transcript].filter(
    (detail) => detail !== undefined && detail !== '',
  )
  const text = source.kind === 'text' ? `\n${source.text}` : ''
  return `[${[part.type, ...details].join(', ')}]${text}`
}

/** Returns a description of media that the target does not support; undefined if it is omitted. Reports either case. */
export function createMediaTextFallback(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  if (context.options.unsupported === 'drop') {
    context.report('dropped-media', path)
    return undefined
  }
  context.report(part.source.kind === 'id' ? 'foreign-file' : 'unsupported-media', path)
  return describeMedia(part)
}

/**
 * Describes a call that another provider ran itself, or its result without data that only that provider can decrypt.
 * Reports it.
 */
export function createProviderTextFallback(
  part: ToolCallPart | ToolResultPart,
  path: Path | undefined,
  context: EncodeContext,
): string {
  context.report('foreign-provider-call', path)
  if (part.type === 'tool-call') return `[${part.name} ran with ${stringifyArguments(part)}]`
  return describeResult({ ...part, content: part.content.map(removeEncryptedData) })
}

/** Returns a part as text for a target without another form for it; undefined if it is omitted. Reports either case. */
export function createTextFallback(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  if (isMediaPart(part)) return createMediaTextFallback(part, path, context)
  switch (part.type) {
    case 'text':
      return part.text
    case 'refusal':
      context.report('refusal-as-text', path)
      return part.text
    case 'json':
      context.report('json-as-text', path)
      return JSON.stringify(part.value)
    case 'reasoning':
      return createReasoningTextFallback(part, path, context)
    case 'tool-call':
    case 'tool-result':
      return createProviderTextFallback(part, path, context)
    case 'opaque':
      context.report('foreign-opaque', path)
      return undefined
  }
}

function removeEncryptedData(part: ToolResultContent): ToolResultContent {
  return part.type === 'json' ? { ...part, value: removeEncryptedFields(part.value) } : part
}

/** Matches the keys of data that a provider encrypted for itself. */
const encryptedKeyPattern = /^encrypted[A-Z_]/

function removeEncryptedFields(value: Json): Json {
  if (isList(value)) return value.map(removeEncryptedFields)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => !encryptedKeyPattern.test(key))
  return Object.fromEntries(entries.map(([key, each]) => [key, removeEncryptedFields(each)]))
}
