import type { MediaSource } from '../../canonical/model/part.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import type { ToolNameRule } from './tool-names.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** The vendor that stores the files and runs the hosted tools of both formats of Google. */
export const GOOGLE_VENDOR = 'google'

/** The signature that Google documents for tool calls that none of its models made. */
export const PLACEHOLDER_SIGNATURE = 'skip_thought_signature_validator'

/** The names that Google accepts for functions, in both of its formats. */
export const googleToolNameRule: ToolNameRule = {
  maxLength: 128,
  pattern: /^[a-zA-Z_][\w.:-]*$/,
  allowedText: 'a letter or _, then letters, digits and _ . : -',
}

/**
 * The number of stop sequences that the API accepts.
 * @see https://ai.google.dev/api/generate-content#generationconfig
 */
export const GOOGLE_MAX_STOP_SEQUENCES = 5

/** Matches the URL of a file that was uploaded to the Gemini API. */
const uploadedFilePattern = /^https:\/\/generativelanguage\.googleapis\.com\/.*\bfiles\//

/** Returns the source of media at a URI: a file on the web, or a file that Google stores. */
export function decodeGoogleUri(uri: string): MediaSource {
  const isWebUrl = /^https?:/.test(uri) && !uploadedFilePattern.test(uri)
  return isWebUrl ? { kind: 'url', url: uri } : { kind: 'id', id: uri, provider: GOOGLE_VENDOR }
}

/** Decodes media data: text media become text sources, if encoding the text again restores the same base64. */
export function decodeGoogleData(data: string, mediaType: string): MediaSource {
  const text = mediaType.startsWith('text/') ? tryDecodeText(data) : undefined
  return text === undefined ? { kind: 'base64', data, mediaType } : { kind: 'text', text }
}

function tryDecodeText(data: string): string | undefined {
  const bytes = fromBase64(data)
  if (bytes === undefined || toBase64(bytes) !== data) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Google's token counts. Unlike canonical counts, those of thoughts and of tool use are in no other count. */
type GoogleCount = 'prompt' | 'answer' | 'total' | 'cached' | 'thoughts' | 'toolUse'

/** The wire key of each count in one of Google's formats, in the order in which they are written. */
export type GoogleUsageKeys = { readonly [count in GoogleCount]: string }

/** Usage, and the tokens of tool use, for which canonical usage has no field. */
interface GoogleUsage {
  readonly usage: Usage
  readonly toolUseTokens: number | undefined
}

/** Decodes Google's token counts; returns undefined if there are none. */
export function decodeGoogleUsage(wire: JsonObject, keys: GoogleUsageKeys): GoogleUsage | undefined {
  const readCount = (count: GoogleCount): number | undefined => {
    const tokens = wire[keys[count]]
    return typeof tokens === 'number' && tokens >= 0 ? tokens : undefined
  }
  const promptTokens = readCount('prompt')
  const answerTokens = readCount('answer')
  const totalTokens = readCount('total')
  if (promptTokens === undefined && answerTokens === undefined && totalTokens === undefined) return undefined
  const reasoningTokens = readCount('thoughts')
  const toolUseTokens = readCount('toolUse')
  const inputTokens = (promptTokens ?? 0) + (toolUseTokens ?? 0)
  const outputTokens = (answerTokens ?? 0) + (reasoningTokens ?? 0)
  const usage: Usage = {
    inputTokens,
    outputTokens,
    totalTokens: totalTokens ?? inputTokens + outputTokens,
    ...omitUndefined({ cachedInputTokens: readCount('cached'), reasoningTokens }),
  }
  return { usage, toolUseTokens }
}

/** Encodes usage as Google's token counts. Reports counts for which Google has no field. */
export function encodeGoogleUsage(
  usage: Usage,
  toolUseHint: unknown,
  keys: GoogleUsageKeys,
  context: EncodeContext,
): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheWriteTokens = 0 } = usage
  const path = child(undefined, 'usage')
  if (cacheWriteTokens !== 0) context.report('usage-detail', child(path, 'cacheWriteTokens'))
  // Canonical output tokens include reasoning tokens, but some hosts report more reasoning than output tokens.
  const reasoningTokens = usage.reasoningTokens && Math.min(usage.reasoningTokens, outputTokens)
  if (reasoningTokens !== usage.reasoningTokens)
    context.report('reasoning-tokens', child(path, 'reasoningTokens'))
  const toolUseTokens = typeof toolUseHint === 'number' ? toolUseHint : undefined
  const counts: { readonly [count in GoogleCount]: number | undefined } = {
    prompt: Math.max(0, inputTokens - (toolUseTokens ?? 0)),
    answer: outputTokens - (reasoningTokens ?? 0),
    total: totalTokens,
    cached: cachedInputTokens,
    thoughts: reasoningTokens,
    toolUse: toolUseTokens,
  }
  const made: { [key: string]: number } = {}
  for (const [count, key] of Object.entries(keys)) {
    const tokens = counts[count as GoogleCount]
    if (tokens !== undefined) made[key] = tokens
  }
  return made
}
