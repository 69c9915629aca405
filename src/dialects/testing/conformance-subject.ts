import type { Dialect } from '../engine/dialect.ts'
import { InterlinguaError } from '../../errors.ts'
import type { SchemaSource } from '../../schema/schema-source.ts'
import { type LawName, LAWS } from './law-table.ts'
import { describeType, isObject, type JsonObject } from '../../wire/json.ts'

/** Samples by name, or a list of samples, whose names are their positions. The titles of the tests contain the names. */
export type NamedSamples<T> = { readonly [name: string]: T } | readonly T[]

/** Bodies of one wire format. */
export interface DialectSamples {
  /** Request bodies that the provider accepts. */
  readonly requests: NamedSamples<JsonObject>
  /** Complete response bodies. */
  readonly responses: NamedSamples<JsonObject>
  /** The texts of complete streamed responses, with their framing. */
  readonly streams?: NamedSamples<string>
}

/** A JSON Schema, a Standard Schema, or a function that returns the problems of a body as texts. */
export type BodyValidator = SchemaSource | ((body: JsonObject) => readonly string[])

/** Validators of the bodies that a dialect writes. The tests of validity run for those that are present. */
export interface DialectValidators {
  readonly request?: BodyValidator
  readonly response?: BodyValidator
  /** Validates each payload of a stream. */
  readonly streamPayload?: BodyValidator
}

/** The dialect to test. */
export interface DialectUnderTest {
  readonly dialect: Dialect
  /** The more kinds of content the samples contain, the more the tests find. */
  readonly samples: DialectSamples
  readonly validate?: DialectValidators
  /** The laws to test. Default: all. */
  readonly laws?: readonly LawName[]
  /** The number of generated conversations, and of mutations of each sample. Default: 25. */
  readonly runs?: number
  /** The start of the pseudo-random numbers. The same seed generates the same tests. Default: 1. */
  readonly seed?: number
}

/** A body of a sample, and its name. */
export interface NamedBody {
  readonly name: string
  readonly body: JsonObject
}

/** A checked subject, with its defaults. */
export interface Subject {
  readonly dialect: Dialect<JsonObject, JsonObject>
  readonly requests: readonly NamedBody[]
  readonly responses: readonly NamedBody[]
  readonly streams: readonly { readonly name: string; readonly text: string }[]
  readonly validate: DialectValidators
  readonly laws: readonly LawName[]
  readonly runs: number
  readonly seed: number
}

const DEFAULT_RUNS = 25

const LAW_NAMES = Object.keys(LAWS) as readonly LawName[]

/** Ids and times that do not differ between two runs. */
export const FIXED_IDENTITY = {
  newId: (prefix: string): string => `${prefix}_1`,
  now: (): number => 0,
} as const

/** Checks what the caller passed in, and fills in the defaults. */
export function readSubject(given: DialectUnderTest): Subject {
  if (!isObject(given)) throw createSubjectError('', given, 'an object with `dialect` and `samples`')
  const { dialect, samples, validate = {}, laws = LAW_NAMES, runs = DEFAULT_RUNS, seed = 1 } = given
  if (!isObject(dialect)) throw createSubjectError('/dialect', dialect, 'a dialect')
  if (!isObject(samples)) throw createSubjectError('/samples', samples, 'bodies by name')
  for (const [key, value] of Object.entries({ runs, seed }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw createSubjectError(`/${key}`, value, 'a whole number of at least 0')
  const unknown = Array.isArray(laws) ? laws.findIndex((law) => !LAW_NAMES.includes(law)) : undefined
  if (unknown === undefined) throw createSubjectError('/laws', laws, 'a list of names of laws')
  if (unknown >= 0)
    throw createSubjectError(`/laws/${unknown}`, laws[unknown], `one of ${LAW_NAMES.join(', ')}`)
  return {
    dialect: dialect as Dialect<JsonObject, JsonObject>,
    requests: readBodies(samples.requests, '/samples/requests'),
    responses: readBodies(samples.responses, '/samples/responses'),
    streams: readStreams(samples.streams ?? {}),
    validate,
    laws,
    runs,
    seed,
  }
}

function readBodies(bodies: unknown, path: string): readonly NamedBody[] {
  return listSamples(bodies, path, 'bodies by name').map(([name, body]) => {
    if (!isObject(body)) throw createSubjectError(`${path}/${name}`, body, 'a body: a JSON object')
    // A dialect that changes its input must not change the samples of the caller.
    return { name, body: structuredClone(body) as JsonObject }
  })
}

function listSamples(
  samples: unknown,
  path: string,
  expected: string,
): readonly (readonly [name: string, sample: unknown])[] {
  if (typeof samples !== 'object' || samples === null) throw createSubjectError(path, samples, expected)
  return Object.entries(samples)
}

function readStreams(streams: unknown): Subject['streams'] {
  return listSamples(streams, '/samples/streams', 'texts by name').map(([name, text]) => {
    if (typeof text !== 'string')
      throw createSubjectError(`/samples/streams/${name}`, text, 'the text of a stream')
    return { name, text }
  })
}

function createSubjectError(path: string, value: unknown, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-type', `The dialect to test is not described correctly at '${path}'`, {
    path,
    found: typeof value === 'number' ? String(value) : describeType(value),
    expected,
    hint: 'Pass { dialect, samples: { requests, responses, streams } }; `requests` and `responses` contain bodies by name.',
  })
}
