import { isObject, tryParseJson } from '../../wire/json.ts'
import { type DetectedInputKind, formatDetectionSigns } from './detect-signs.ts'
import { withTypedErrors } from '../../wire/internal-error.ts'

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
export function detect(input: unknown): readonly Detection[] {
  return withTypedErrors(() => {
    if (typeof input !== 'string') return detectValue(input)
    const body = tryParseJson(input)
    if (Array.isArray(body)) return detectPayloads(body)
    return body === undefined ? detectPayloads(readPayloads(input)) : detectValue(body)
  })
}

/** Detects a stream by its first recognized payload. A payload that looks like a response is part of one. */
function detectPayloads(payloads: Iterable<unknown>): readonly Detection[] {
  for (const payload of payloads) {
    const found = detectValue(payload).filter(({ kind }) => kind === 'stream' || kind === 'response')
    if (found.length > 0) return found.map((each) => ({ ...each, kind: 'stream' }))
  }
  return []
}

/** Yields the payloads at the start of a stream of server-sent events or JSON lines. */
function* readPayloads(text: string): Generator<unknown, void, undefined> {
  const lines = text.slice(0, MAX_STREAM_CHARACTERS).split(/\r\n|\n|\r/)
  for (const line of lines) yield tryParseJson(line.startsWith('data:') ? line.slice(5) : line)
}

function detectValue(value: unknown): readonly Detection[] {
  if (!isObject(value)) return []
  return formatDetectionSigns
    .flatMap(({ kind, name, signs, counterSigns = [] }): readonly Detection[] => {
      const found = signs.filter(([, , test]) => test(value))
      if (found.length === 0) return []
      const contrary = counterSigns.filter(([, test]) => test(value))
      const total = found.reduce((sum, [weight]) => sum + weight, 0)
      const weight = contrary.reduce((rest, [counterWeight]) => rest - counterWeight, total)
      if (weight <= 0) return []
      const certainty = Math.round(Math.min(1, weight) * 100) / 100
      return [{ kind, name, certainty, evidence: found.map(([, evidence]) => evidence).join(', ') }]
    })
    .toSorted((a, b) => b.certainty - a.certainty)
}
