import { describeResult } from '../../canonical/check/result-text.ts'
import { inlineDataUrl, mediaTypeOf } from '../../canonical/build/media.ts'
import { fromBase64 } from '../../wire/base64.ts'
import { normalizeMediaType } from '../../wire/media-type.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type {
  MediaPart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import { isBoundElsewhere } from './reasoning-filter.ts'
import type { UnsupportedAction } from './unsupported-policy.ts'
import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'

/** A part that replaces content which the target cannot express. */
export type FallbackPart = TextPart | ReasoningPart

/** Wraps reasoning text in a tag that identifies it. */
function wrapReasoningText(text: string): string {
  return `<thinking>\n${text}\n</thinking>`
}

/** Returns the rule for omitted reasoning: without a text, neither the model nor the user misses anything. */
function getOmittedReasoningRule(part: ReasoningPart): DialectLossRule {
  const { text } = part
  if (isBoundElsewhere(part)) return 'bound-reasoning'
  return text.trim() === '' ? 'hidden-reasoning' : 'foreign-reasoning'
}

/**
 * Returns reasoning as text for a target that does not accept it; undefined if it is omitted. Reports either case. `rule` is
 * reported if it is omitted.
 */
export function createReasoningFallback(
  part: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
  rule: DialectLossRule = getOmittedReasoningRule(part),
): TextPart | undefined {
  const { text } = part
  const { foreignReasoning } = context.policy
  const isReadable = text.trim() !== ''
  if (foreignReasoning === 'reject' && isReadable) context.reject(rule, path)
  const isShown = foreignReasoning === 'text' && isReadable
  context.report(isShown ? 'reasoning-as-text' : rule, path)
  return isShown ? { type: 'text', text: wrapReasoningText(text) } : undefined
}

/** Returns true for readable reasoning of another vendor that the policy sends like that of the target. */
export function isShownAsReasoning(
  { text, redacted }: ReasoningPart,
  { policy }: Pick<EncodeContext, 'policy'>,
): boolean {
  return policy.foreignReasoning === 'native' && text !== '' && redacted !== true
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
  const content = source.kind === 'text' ? source.text : readVectorImage(part)
  const text = content === undefined ? '' : `\n${content}`
  return `[${[part.type, ...details].join(', ')}]${text}`
}

/** Returns the text of an SVG image, which a model can read; undefined for other media. */
function readVectorImage(part: MediaPart): string | undefined {
  const { source } = inlineDataUrl(part)
  if (source.kind !== 'base64' || normalizeMediaType(source.mediaType) !== 'image/svg+xml') return undefined
  const bytes = fromBase64(source.data)
  return bytes === undefined || bytes.length === 0 ? undefined : new TextDecoder().decode(bytes)
}

/**
 * Returns a description of media that the target does not support; undefined if it is omitted. Reports either case. The words
 * of audio in an answer are shown without a description. `rule` is reported if it is described.
 */
export function createMediaFallback(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
  rule: DialectLossRule = part.source.kind === 'id' ? 'foreign-file' : 'unsupported-media',
): FallbackPart | undefined {
  const { media, showsTranscripts } = context.policy
  const transcript = showsTranscripts ? (part.transcript ?? '') : ''
  if (transcript.trim() !== '') {
    context.report(rule, path)
    return { type: 'text', text: transcript }
  }
  return applyAction(media, { dropped: 'dropped-media', described: rule }, path, context, () =>
    describeMedia(part),
  )
}

/** Returns a description of media where only text can follow: in tool results, and in messages of the user. */
export function createMediaText(
  part: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
  rule?: DialectLossRule,
): string | undefined {
  return createMediaFallback(part, path, context, rule)?.text
}

/**
 * Describes a call that another provider ran itself, or its result without data that only that provider can decrypt; returns
 * undefined if it is omitted. Reports either case.
 */
export function createHostedToolFallback(
  part: ToolCallPart | ToolResultPart,
  path: Path | undefined,
  context: EncodeContext,
): FallbackPart | undefined {
  const rules = { dropped: 'dropped-provider-call', described: 'foreign-provider-call' } as const
  return applyAction(context.policy.hostedTools, rules, path, context, () =>
    part.type === 'tool-call'
      ? `[${part.name} ran with ${stringifyArguments(part)}]`
      : describeResult({ ...part, content: part.content.map(removeEncryptedData) }),
  )
}

function applyAction(
  action: UnsupportedAction,
  rules: { readonly dropped: DialectLossRule; readonly described: DialectLossRule },
  path: Path | undefined,
  context: EncodeContext,
  describe: () => string,
): FallbackPart | undefined {
  if (action === 'reject') context.reject(rules.dropped, path)
  if (action === 'reject' || action === 'drop') {
    context.report(rules.dropped, path)
    return undefined
  }
  context.report(rules.described, path)
  return { type: action === 'reasoning' ? 'reasoning' : 'text', text: describe() }
}

/**
 * Returns true if a system message that follows other messages becomes marked user text; otherwise it is omitted. Reports
 * either case.
 */
export function keepsLaterSystem(path: Path | undefined, context: EncodeContext): boolean {
  const { systemText } = context.policy
  if (systemText === 'reject') context.reject('later-system', path)
  const isKept = systemText === 'text'
  const isRefused = context.facts.refusedFeatures?.includes('system-text') === true
  context.report(!isKept ? 'later-system' : isRefused ? 'system-as-user' : 'system-in-place', path)
  return isKept
}

/** Returns a part in a form for a target without another form for it; undefined if it is omitted. Reports either case. */
export function createFallback(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
): FallbackPart | undefined {
  if (isMediaPart(part)) return createMediaFallback(part, path, context)
  switch (part.type) {
    case 'text':
      return part
    case 'refusal':
      context.report('refusal-as-text', path)
      return { type: 'text', text: part.text }
    case 'json':
      context.report('json-as-text', path)
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'reasoning':
      return createReasoningFallback(part, path, context)
    case 'tool-call':
    case 'tool-result':
      return createHostedToolFallback(part, path, context)
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

/** Returns true for an address that providers download: they accept no other schemes, such as `gs:` and `file:`. */
export function isWebAddress(url: string): boolean {
  return /^https?:/i.test(url)
}

/** Returns true for media that contain data. Providers reject empty images, files and addresses. */
export function hasMediaData({ source }: MediaPart): boolean {
  if (source.kind === 'base64') return source.data !== ''
  if (source.kind === 'text') return source.text !== ''
  return source.kind !== 'url' || source.url !== ''
}

/** Returns true for media that contain data or have an address on the web. */
export function isSendableMedia(part: MediaPart): boolean {
  const { source } = inlineDataUrl(part)
  return hasMediaData({ ...part, source }) && (source.kind !== 'url' || isWebAddress(source.url))
}
