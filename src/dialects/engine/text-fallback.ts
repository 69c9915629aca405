import { describeResult } from '../../canonical/check/result-text.ts'
import { mediaTypeOf } from '../../canonical/build/media.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type {
  MediaPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  ReasoningPart,
} from '../../canonical/model/part.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import type { LossRule } from '../../canonical/model/loss.ts'

/** Thoughts as text, marked as what they are. */
export function wrapReasoningText(text: string): string {
  return `<thinking>\n${text}\n</thinking>`
}

/** Returns the rule for reasoning that is omitted: without a text, the model and the user miss nothing. */
export function omittedReasoning(text: string): LossRule {
  return text.trim() === '' ? 'hidden-reasoning' : 'foreign-reasoning'
}

/** The words for thoughts that the target cannot take; undefined where they are set aside. Either is reported. */
export function createReasoningTextFallback(
  { text }: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): string | undefined {
  const isShown = context.options.foreignReasoning === 'text' && text !== ''
  context.report(isShown ? 'reasoning-as-text' : omittedReasoning(text), path)
  return isShown ? wrapReasoningText(text) : undefined
}

/** Media in words, for a target that cannot hold it: what it is, its name, and where it is or what it says. */
function describeMedia(part: MediaPart): string {
  const { source } = part
  // A URL that holds the bytes says nothing that can be read.
  const link = source.kind === 'url' && !/^data:/i.test(source.url) ? source.url : ''
  const where =
    source.kind === 'url' ? link : source.kind === 'id' ? `${source.provider} file ${source.id}` : ''
  const words = [part.name, mediaTypeOf(part), where, part.transcript].filter(
    (word) => word !== undefined && word !== '',
  )
  const text = source.kind === 'text' ? `\n${source.text}` : ''
  return `[${[part.type, ...words].join(', ')}]${text}`
}

/** The words for media that the target cannot hold; undefined where they are to be dropped. Either is reported. */
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

/** A call that a provider ran itself, in words. */
export function describeProviderCall(call: ToolCallPart): string {
  return `[${call.name} ran with ${stringifyArguments(call)}]`
}

/** What a provider's own tool gave, in words: what only that provider can read is of no use to others. */
export function describeProviderResult(result: ToolResultPart): string {
  return describeResult({ ...result, content: result.content.map(removeEncryptedData) })
}

function removeEncryptedData(part: ToolResultContent): ToolResultContent {
  return part.type === 'json' ? { ...part, value: removeEncryptedFields(part.value) } : part
}

/** The keys of what a server sealed for itself. */
const encryptedKeyPattern = /^encrypted[A-Z_]/

function removeEncryptedFields(value: Json): Json {
  if (isList(value)) return value.map(removeEncryptedFields)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key]) => !encryptedKeyPattern.test(key))
  return Object.fromEntries(entries.map(([key, each]) => [key, removeEncryptedFields(each)]))
}
