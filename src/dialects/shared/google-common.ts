import type { MediaSource } from '../../canonical/model/part.ts'
import { fromBase64, toBase64 } from '../../wire/base64.ts'
import type { ToolNameRule } from './tool-names.ts'

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
