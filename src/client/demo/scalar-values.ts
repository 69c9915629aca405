import type { PromptValueKind, PromptValues } from './prompt-values.ts'

type Schema = { readonly [key: string]: unknown }

/** For each string format: the kind of prompt value that fills it, and the value used if none exists. */
const FORMAT_DEFAULTS: { readonly [format: string]: readonly [PromptValueKind | undefined, string] } = {
  date: ['date', '2026-01-01'],
  'date-time': [undefined, '2026-01-01T00:00:00Z'],
  time: [undefined, '00:00:00Z'],
  duration: [undefined, 'P1D'],
  email: ['email', 'someone@example.com'],
  uri: ['uri', 'https://example.com/'],
  url: ['uri', 'https://example.com/'],
  hostname: [undefined, 'example.com'],
  ipv4: [undefined, '192.0.2.1'],
  ipv6: [undefined, '2001:db8::1'],
  uuid: [undefined, '00000000-0000-4000-8000-000000000000'],
}

/** Names of fields that get the entire prompt. */
const FREE_TEXT_FIELD = /query|question|prompt|text|message|content|input|expression|formula|sentence|body/i

/** Names of fields that get a formula. */
const FORMULA_FIELD = /expression|formula/i

/** Strings that match common patterns, tried in this order. */
const PATTERN_SAMPLES = 'a A abc ABC Abc 0 1 123 2026-01-01 00:00 a-b A-1 a_b'.split(' ')

/** Returns a string for a field, from the best matching value of the prompt. */
export function createStringForSchema(schema: Schema, name: string, words: PromptValues): string {
  const [kind, defaultValue] =
    typeof schema['format'] === 'string' ? (FORMAT_DEFAULTS[schema['format']] ?? []) : []
  if (defaultValue !== undefined) return (kind && words.take(kind)) ?? defaultValue
  const candidate =
    (FORMULA_FIELD.test(name) ? words.take('formula') : undefined) ??
    words.take('quoted') ??
    (FREE_TEXT_FIELD.test(name) ? undefined : words.take('name')) ??
    words.text
  const fitted = fitLength(schema, candidate)
  const { pattern } = schema
  if (typeof pattern !== 'string') return fitted
  const expression = new RegExp(pattern, 'u')
  const tried = [fitted, candidate, words.take('number') ?? '', ...PATTERN_SAMPLES].map((text) =>
    fitLength(schema, text),
  )
  return tried.find((text) => expression.test(text)) ?? fitted
}

function fitLength({ minLength, maxLength }: Schema, text: string): string {
  const max = typeof maxLength === 'number' ? maxLength : Infinity
  const min = typeof minLength === 'number' ? minLength : 0
  const characters = Array.from(text).slice(0, max)
  return characters.join('') + (text.at(0) ?? '.').repeat(Math.max(0, min - characters.length))
}

/** Returns a number for a field: the one in the prompt if it is valid, otherwise the nearest valid number. */
export function createNumberForSchema(schema: Schema, candidate: string | undefined): number {
  const isInteger = schema['type'] === 'integer'
  const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : isInteger ? 1 : 0
  const limit = (key: string): number | undefined => {
    const value = schema[key]
    return typeof value === 'number' ? value : undefined
  }
  const margin = step === 0 ? 1e-6 : step
  const above = limit('exclusiveMinimum')
  const below = limit('exclusiveMaximum')
  const min = Math.max(limit('minimum') ?? -Infinity, above === undefined ? -Infinity : above + margin)
  const max = Math.min(limit('maximum') ?? Infinity, below === undefined ? Infinity : below - margin)
  const near = Math.min(Math.max(Number(candidate ?? 1), min), max)
  if (step === 0) return near
  const stepped = Math.ceil(near / step) * step
  return stepped > max ? Math.floor(max / step) * step : stepped
}
