import type { Detection } from '../../dialects/engine/detect.ts'
import { detectInput, knownDialects } from '../registry.ts'
import { InterlinguaError } from '../../errors.ts'
import { tryParseJson } from '../../wire/json.ts'
import { FROM_OPTION_EVIDENCE, type InputFormatOptions } from './input-format-names.ts'
import { isLibraryLine, isLibraryText } from './library-messages.ts'
import { isTranscriptLine, isTranscriptText } from './transcripts.ts'
import { wrapMessageList } from './wrap-message-list.ts'
import type { PeekResult } from './peek-input.ts'
import { KNOWN_INPUT } from './recognize-body.ts'

/** The layout of an input: one JSON document, one document per line, or one streamed response. */
export type InputLayout = 'document' | 'lines' | 'stream'

/** Fields with which server-sent events can start. */
const SSE_FIELD = /^(data|event|id|retry)?:/

export function detectLayout(
  { firstLine, hasMore }: PeekResult,
  name: string,
  options: InputFormatOptions,
): InputLayout {
  const { kind } = options
  if (kind === 'stream' || SSE_FIELD.test(firstLine)) return 'stream'
  // An empty file has no lines either: it is reported as an empty document.
  if (firstLine === '') return 'document'
  const value = tryParseJson(firstLine)
  if (value !== undefined && isTranscriptLine(value, options)) return 'document'
  if (value !== undefined && kind === undefined && detectInput(value)[0]?.kind === 'stream') return 'stream'
  if (value !== undefined && kind === undefined && isLibraryLine(value, options)) return 'document'
  return /\.(jsonl|ndjson)$/i.test(name) || (hasMore && value !== undefined) ? 'lines' : 'document'
}

/** Tests whether a JSON array is a streamed response, as Gemini sends without server-sent events. */
export function isStreamArray(value: unknown, text: string, { from, kind }: InputFormatOptions): boolean {
  if (!Array.isArray(value)) return false
  if (kind !== undefined) return kind === 'stream'
  if (wrapMessageList(value, from) !== undefined) return false
  return detectInput(text).some(
    (each) => each.kind === 'stream' && (from === undefined || each.name === from),
  )
}

/** Parses a document; text in a format of a library, such as lines with one message each, is returned as it is. */
export function parseDocumentText(text: string, options: InputFormatOptions): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    if (isTranscriptText(text, options)) return text
    if (options.kind === undefined && isLibraryText(text, options)) return text
    throw error
  }
}

/** Parses JSON. The error contains the position of the fault but never quotes the input. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const found = describeText(text)
    const expected = `a ${KNOWN_INPUT}`
    const isJson = found === JSON_TEXT
    const position = /position (\d+)/.exec(String(cause))?.[1]
    const fault =
      position === undefined ? 'syntax error' : `syntax error at character ${Number(position) + 1}`
    const message =
      found === 'nothing'
        ? `The input is empty: expected ${expected}`
        : `The input is not valid JSON: ${isJson ? fault : `found ${found}, expected ${expected}`}`
    throw new InterlinguaError('not-json', message, {
      found: isJson ? fault : found,
      expected,
      hint: isJson
        ? 'Check that the file is complete.'
        : 'Check the program or file that the input comes from.',
      cause,
    })
  }
}

const JSON_TEXT = 'JSON'

/** Kinds of text, by their beginning; the first match counts. */
const TEXT_KINDS: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^\s*$/, 'nothing'],
  [/^\s*[[{"]/, JSON_TEXT],
  // What is not UTF-8 was decoded as U+FFFD.
  [/[\0\ufffd]/, 'binary data'],
  [/^\s*<[!?a-z]/i, 'HTML or XML'],
  [SSE_FIELD, 'server-sent events of another format'],
  [/^/, 'plain text'],
]

/** The number of characters that are examined. */
const MAX_TEXT_HEAD = 4096

/** Describes a text without quoting it. */
function describeText(text: string): string {
  const head = text.slice(0, MAX_TEXT_HEAD)
  return TEXT_KINDS.find(([pattern]) => pattern.test(head))?.[1] ?? ''
}

export function detectStreamFormat(head: string, { from }: InputFormatOptions): Detection {
  const found = detectInput(head).find((each) => from === undefined || each.name === from)
  if (found !== undefined) return { ...found, kind: 'stream' }
  if (from !== undefined) return { kind: 'stream', name: from, certainty: 0, evidence: FROM_OPTION_EVIDENCE }
  const text = describeText(head)
  const expected = `the streamed response of ${Object.keys(knownDialects).join(', ')}`
  throw new InterlinguaError(
    'invalid-stream',
    `The input is not a stream of a known format: found ${text}, expected ${expected}`,
    { found: text, expected, hint: 'Set its format with --from.' },
  )
}
