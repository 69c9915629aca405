import { isObject, type JsonObject, tryParseJson } from '../../wire/json.ts'
import type { Dialect } from './dialect.ts'
import { recognizeInput } from './input-recognizers.ts'
import { answerDetectionSigns } from './answer-detection-signs.ts'
import { type DetectedInputKind, requestDetectionSigns } from './request-detection-signs.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** A format that an input may have. */
export interface Detection {
  readonly kind: DetectedInputKind
  /** The dialect, or `interlingua` for the stored form. */
  readonly name: string
  /** From 0 to 1. */
  readonly certainty: number
  /** The fields and values that indicate the format, as text. */
  readonly evidence: string
}

/** Options of {@link detect}. */
export interface DetectOptions {
  /** The dialects of the application, which are detected in addition to the built-in ones. */
  readonly registry?: { readonly dialects: { readonly [name: string]: Dialect } }
}

const formatDetectionSigns = [...requestDetectionSigns, ...answerDetectionSigns]

/** Matches the header with the type of an event in a binary event stream of AWS: a text after its kind and its length. */
const binaryEventType = /:(?:event|exception)-type[\s\S]{3}([A-Za-z]+)/g

/** Only the start of a stream is examined. */
const MAX_STREAM_CHARACTERS = 65_536

/**
 * Detects the format of an input, most certain first. The input is a body (parsed, or as JSON text), the text of a stream, or
 * the stored form.
 *
 * @example
 * detect({ model: 'm', max_tokens: 10, system: 'Be brief.', messages: [] })[0]
 * // { kind: 'request', name: 'anthropic', certainty: 0.9, evidence: 'has "messages", …' }
 */
export function detect(input: unknown, options: DetectOptions = {}): readonly Detection[] {
  return withTypedErrors(() => {
    const own = Object.values(options.registry?.dialects ?? {})
    if (typeof input !== 'string') return detectValue(input, own)
    const body = tryParseJson(input)
    if (Array.isArray(body)) return detectPayloads(body, own)
    return body === undefined ? detectPayloads(readPayloads(input), own) : detectValue(body, own)
  }, [options])
}

/** Detects a stream by its first recognized payload. A payload that looks like a response is part of one. */
function detectPayloads(payloads: Iterable<unknown>, own: readonly Dialect[]): readonly Detection[] {
  for (const payload of payloads) {
    const found = detectValue(payload, own).filter(({ kind }) => kind === 'stream' || kind === 'response')
    if (found.length > 0) return found.map((each) => ({ ...each, kind: 'stream' }))
  }
  return []
}

/** Yields the payloads at the start of a stream of server-sent events, JSON lines or binary events. */
function* readPayloads(text: string): Generator<unknown, void, undefined> {
  const start = text.slice(0, MAX_STREAM_CHARACTERS)
  for (const [, type = ''] of start.matchAll(binaryEventType)) yield { [type]: {} }
  const lines = start.split(/\r\n|\n|\r/)
  for (const line of lines) yield tryParseJson(line.startsWith('data:') ? line.slice(5) : line)
}

function detectValue(value: unknown, own: readonly Dialect[]): readonly Detection[] {
  if (!isObject(value)) return []
  const recognized = own.flatMap((dialect): readonly Detection[] => {
    const found = recognizeInput(dialect, value as JsonObject)
    return found === undefined ? [] : [{ ...found, name: dialect.name }]
  })
  return [...recognized, ...detectBuiltIn(value)].toSorted((a, b) => b.certainty - a.certainty)
}

function detectBuiltIn(value: { readonly [key: string]: unknown }): readonly Detection[] {
  const weighted = formatDetectionSigns.flatMap(({ kind, name, signs, counterSigns = [] }) => {
    const found = signs.filter(([, , test]) => test(value))
    if (found.length === 0) return []
    const contrary = counterSigns.filter(([, test]) => test(value))
    const total = found.reduce((sum, [each]) => sum + each, 0)
    const rest = contrary.reduce((sum, [each]) => sum - each, total)
    const weight = Math.round(rest * 100) / 100
    const evidence = found.map(([, each]) => each).join(', ')
    return weight <= 0 ? [] : [{ weight, found: { kind, name, certainty: Math.min(1, weight), evidence } }]
  })
  // Of formats that are certain, the one with more signs comes first.
  return weighted.toSorted((a, b) => b.weight - a.weight).map(({ found }) => found)
}
