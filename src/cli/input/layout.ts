import { detect, type Detection } from '../../dialects/engine/detect.ts'
import { InterlinguaError } from '../../errors.ts'
import { tryParseJson } from '../../wire/json.ts'
import { GIVEN_BY_OPTION, type InputFormatOptions } from './document.ts'
import type { PeekResult } from './peek.ts'

/** The layout of an input: one JSON document, one document per line, or one streamed response. */
export type InputLayout = 'document' | 'lines' | 'stream'

/** Fields with which server-sent events can start. */
const SSE_FIELD = /^(data|event|id|retry)?:/

export function detectLayout(
  { firstLine, hasMore }: PeekResult,
  name: string,
  { kind }: InputFormatOptions,
): InputLayout {
  if (kind === 'stream' || SSE_FIELD.test(firstLine)) return 'stream'
  const value = tryParseJson(firstLine)
  if (value !== undefined && kind === undefined && detect(value)[0]?.kind === 'stream') return 'stream'
  return /\.(jsonl|ndjson)$/i.test(name) || (hasMore && value !== undefined) ? 'lines' : 'document'
}

/** Parses JSON. The error contains the position of the fault but never quotes the input. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (text.trim() === '')
      throw new InterlinguaError('not-json', 'The input is empty', {
        found: 'nothing',
        expected: 'a JSON document',
        hint: 'Check the program or file that the input comes from.',
      })
    const position = /position (\d+)/.exec(String(cause))?.[1]
    const where = position === undefined ? '' : `: syntax error at character ${Number(position) + 1}`
    throw new InterlinguaError('not-json', `The input is not valid JSON${where}`, {
      expected: 'a JSON document',
      hint: 'Check that the file is complete.',
      cause,
    })
  }
}

export function detectStreamFormat(head: string, { from }: InputFormatOptions): Detection {
  const found = detect(head).find((each) => from === undefined || each.name === from)
  if (found !== undefined) return { ...found, kind: 'stream' }
  if (from !== undefined) return { kind: 'stream', name: from, certainty: 0, evidence: GIVEN_BY_OPTION }
  throw new InterlinguaError('invalid-stream', 'The input is not a stream of a known format', {
    expected: 'the streamed response of a provider',
    hint: 'Set its format with --from.',
  })
}
