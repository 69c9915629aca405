import { detect, type Detected } from '../../dialects/detect.ts'
import { InterlinguaError } from '../../errors.ts'
import type { Told } from './document.ts'
import type { Peeked } from './peek.ts'

/** How a file holds what it holds: one JSON text, one JSON text a line, or the pieces of one streamed answer. */
export type Shape = 'whole' | 'lines' | 'stream'

/** The fields that a stream of server-sent events begins with. */
const EVENT_FIELD = /^(data|event|id|retry)?:/

/** The shape of an input, from its first line. */
export function shapeOf({ line, more }: Peeked, name: string, { kind }: Told): Shape {
  if (kind === 'stream' || EVENT_FIELD.test(line)) return 'stream'
  const value = parsed(line)
  if (value !== undefined && kind === undefined && isPiece(value)) return 'stream'
  return /\.(jsonl|ndjson)$/i.test(name) || (more && value !== undefined) ? 'lines' : 'whole'
}

function isPiece(value: unknown): boolean {
  return detect(value)[0]?.kind === 'stream'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text; the error says where it stops being one, and quotes nothing. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (text.trim() === '') throw empty()
    const place = /position (\d+)/.exec(String(cause))?.[1]
    const at = place === undefined ? '' : ` from character ${Number(place) + 1} on`
    throw new InterlinguaError('not-json', `This is not JSON${at}`, {
      expected: 'a JSON text',
      hint: 'Check that the file is whole.',
      cause,
    })
  }
}

function empty(): InterlinguaError {
  return new InterlinguaError('not-json', 'This is not JSON: it is empty', {
    found: 'nothing',
    expected: 'a JSON text',
    hint: 'Check what was to be written there.',
  })
}

/** The format of a stream, from how it begins. */
export function recogniseStream(head: string, { from }: Told): Detected {
  const found = detect(head).find((each) => from === undefined || each.name === from)
  if (found !== undefined) return { ...found, kind: 'stream' }
  if (from !== undefined) return { kind: 'stream', name: from, certainty: 0, evidence: 'told so' }
  throw new InterlinguaError('invalid-stream', 'This is no stream of a format that is known', {
    expected: 'the answer of a provider, as it was streamed',
    hint: 'Say what it is with --from.',
  })
}
