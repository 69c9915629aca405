import { detect, type Detection } from '../../dialects/engine/detect.ts'
import { InterlinguaError } from '../../errors.ts'
import type { InputFormatOptions } from './document.ts'
import type { PeekResult } from './peek.ts'

/** How a file holds what it holds: one JSON text, one JSON text a line, or the pieces of one streamed answer. */
export type InputLayout = 'whole' | 'lines' | 'stream'

/** The fields that a stream of server-sent events begins with. */
const SSE_FIELD = /^(data|event|id|retry)?:/

/** The shape of an input, from its first line. */
export function detectLayout(
  { firstLine, hasMore }: PeekResult,
  name: string,
  { kind }: InputFormatOptions,
): InputLayout {
  if (kind === 'stream' || SSE_FIELD.test(firstLine)) return 'stream'
  const value = tryParseJson(firstLine)
  if (value !== undefined && kind === undefined && isStreamPayload(value)) return 'stream'
  return /\.(jsonl|ndjson)$/i.test(name) || (hasMore && value !== undefined) ? 'lines' : 'whole'
}

function isStreamPayload(value: unknown): boolean {
  return detect(value)[0]?.kind === 'stream'
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text; the error says where it stops being one, and quotes nothing. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (text.trim() === '') throw emptyInputError()
    const place = /position (\d+)/.exec(String(cause))?.[1]
    const at = place === undefined ? '' : ` from character ${Number(place) + 1} on`
    throw new InterlinguaError('not-json', `This is not JSON${at}`, {
      expected: 'a JSON text',
      hint: 'Check that the file is whole.',
      cause,
    })
  }
}

function emptyInputError(): InterlinguaError {
  return new InterlinguaError('not-json', 'This is not JSON: it is empty', {
    found: 'nothing',
    expected: 'a JSON text',
    hint: 'Check what was to be written there.',
  })
}

/** The format of a stream, from how it begins. */
export function detectStreamFormat(head: string, { from }: InputFormatOptions): Detection {
  const found = detect(head).find((each) => from === undefined || each.name === from)
  if (found !== undefined) return { ...found, kind: 'stream' }
  if (from !== undefined) return { kind: 'stream', name: from, certainty: 0, evidence: 'told so' }
  throw new InterlinguaError('invalid-stream', 'This is no stream of a format that is known', {
    expected: 'the answer of a provider, as it was streamed',
    hint: 'Say what it is with --from.',
  })
}
