import { toEvents } from '../../canonical/stream/to-events.ts'
import type { Dialect } from '../engine/dialect.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import { generateRequest, generateResponse, listResponseSamples } from './canonical-samples.ts'
import { awaitDialect, type CheckContext, type ConformanceCheck } from './conformance-check.ts'
import { ConformanceError, describeThrown, createDescription } from './conformance-error.ts'
import { storeAndLoad } from './json-leaves.ts'
import type { CheckedBodyKind } from './law-table.ts'
import { createRandom, mutateBody } from './random.ts'
import { collectAll, encodeToText } from './stream-text.ts'
import { FIXED_IDENTITY, type Subject } from './conformance-subject.ts'

/** The methods that read a value of the caller or of a provider, and how each is called with it. */
const METHODS: {
  readonly [name: string]: readonly [kind: CheckedBodyKind, call: (dialect: Dialect, value: never) => unknown]
} = {
  decodeRequest: ['request', (dialect, value) => dialect.decodeRequest(value)],
  decodeResponse: ['response', (dialect, value) => dialect.decodeResponse(value)],
  encodeRequest: ['request', (dialect, value) => dialect.encodeRequest(value)],
  encodeRequestText: ['request', (dialect, value) => dialect.encodeRequestText(value)],
  encodeResponse: ['response', (dialect, value) => dialect.encodeResponse(value)],
  encodeMessage: ['request', (dialect, value) => dialect.encodeMessage(value)],
  encodeTools: ['request', (dialect, value) => dialect.encodeTools(value)],
  decodeUsage: ['response', (dialect, value) => dialect.decodeUsage(value)],
  decodeFinish: ['response', (dialect, value) => dialect.decodeFinish(value)],
  decodeError: ['response', (dialect, value) => dialect.decodeError(400, value)],
}

/** A text that no error may repeat. */
const SECRET = 'secret-5527'

/** Returns values that no caller should pass, by name. */
function createHostileValues(): { readonly [name: string]: unknown } {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  return {
    nothing: undefined,
    null: null,
    'a number': 42,
    'not a number': Number.NaN,
    true: true,
    'an empty text': '',
    'a text': SECRET,
    'an empty object': {},
    'an object without a prototype': Object.create(null),
    'an empty list': [],
    'a list of null': [null],
    'a function': (): string => SECRET,
    'a date': new Date(0),
    'a map': new Map([['a', SECRET]]),
    'an object that contains itself': cyclic,
    'an object of 10,000 levels': nest(10_000),
    'an object with the key __proto__': JSON.parse(`{"__proto__":{"polluted":"${SECRET}"},"model":"m"}`),
    'an object whose values have wrong types': {
      model: { secret: SECRET },
      messages: { secret: SECRET },
      candidates: SECRET,
      tools: 7,
      error: SECRET,
    },
  }
}

function nest(depth: number): unknown {
  let value: unknown = SECRET
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { content: value }
  return value
}

/** Lists the checks that input of any shape is decoded, or rejected with a typed error. */
export function listHostileInputChecks(subject: Subject): readonly ConformanceCheck[] {
  const { dialect, runs, seed, requests, responses } = subject
  const bodies = [
    ...requests.map(({ name, body }) => ({ name, body, method: 'decodeRequest' })),
    ...responses.map(({ name, body }) => ({ name, body, method: 'decodeResponse' })),
  ]
  return [
    ...Object.keys(METHODS).map((method): ConformanceCheck => ({
      law: 'hostile-input',
      title: `${method} rejects values of any shape with a typed error, or accepts them`,
      run: () => {
        for (const [name, value] of Object.entries(createHostileValues()))
          expectTyped(dialect, method, `${method}, called with ${name}`, value)
      },
    })),
    ...bodies.map(({ name, body, method }): ConformanceCheck => ({
      law: 'hostile-input',
      title: `${method} of "${name}" has no untyped error after mutations`,
      run: () => {
        for (let run = 0; run < runs * 4; run++) {
          const about = `${method} of "${name}", mutated with seed ${seed + run}`
          expectTyped(dialect, method, about, mutateBody(body, createRandom(seed + run)))
        }
      },
    })),
    {
      law: 'hostile-input',
      title: 'encoders reject malformed canonical values with a typed error, or accept them',
      run: () => {
        for (let run = 0; run < runs * 4; run++) {
          const random = createRandom(seed + run)
          const request = mutateBody(storeAndLoad(generateRequest(random)), random)
          expectTyped(
            dialect,
            'encodeRequest',
            `encodeRequest of a mutated request (seed ${seed + run})`,
            request,
          )
          const response = mutateBody(storeAndLoad(generateResponse(random)), random)
          const about = `encodeResponse of a mutated response (seed ${seed + run})`
          expectTyped(dialect, 'encodeResponse', about, response)
        }
      },
    },
    {
      law: 'hostile-input',
      title: 'decodeStream ends malformed streams with a typed error, or accepts them',
      run: () => checkStreams(subject),
    },
  ]
}

function expectTyped(dialect: Dialect, method: string, about: string, value: unknown): void {
  const [kind, call] = METHODS[method] ?? ['request', () => undefined]
  const context: CheckContext = { law: 'hostile-input', kind, subject: about }
  try {
    call(dialect, value as never)
  } catch (error) {
    expectTypedError(context, error)
  }
  if ('polluted' in {})
    throw new ConformanceError({
      ...context,
      problem: 'the key `__proto__` of the input changed the prototype of all objects',
      found: createDescription('a polluted prototype'),
      expected: createDescription('an own key'),
    })
}

/** Fails for an error that is not typed, that reveals a mistake of the codec, or that repeats the input. */
function expectTypedError(context: CheckContext, error: unknown): void {
  expectKnownCode(context, error)
  if (`${error.message} ${JSON.stringify(error)}`.includes(SECRET))
    throw new ConformanceError({
      ...context,
      problem: 'the error repeats a text of the input, which may be confidential',
      found: error.message,
      expected: createDescription('a description of the type of the value, not the value itself'),
    })
}

/** Fails for an error that is not typed, or that reveals a mistake of the codec. */
function expectKnownCode(context: CheckContext, error: unknown): asserts error is InterlinguaError {
  if (!(error instanceof InterlinguaError) || error.code === 'internal') {
    const cause = error instanceof InterlinguaError ? error.cause : error
    throw new ConformanceError({
      ...context,
      problem: 'the codec fails with an unexpected error instead of a typed one',
      found: createDescription(describeThrown(error)),
      expected: createDescription('an InterlinguaError with a code and a path, or no error'),
      cause,
    })
  }
}

async function checkStreams({ dialect, streams, seed, runs }: Subject): Promise<void> {
  const [sample] = listResponseSamples()
  const texts = streams.map(({ text }) => text)
  if (sample !== undefined)
    texts.push((await encodeToText(dialect, toEvents(sample.value), FIXED_IDENTITY)).text)
  for (const [number, text] of texts.entries()) {
    for (let run = 0; run < runs; run++) {
      const context: CheckContext = {
        law: 'hostile-input',
        kind: 'stream',
        subject: `decodeStream of malformed text (stream ${number}, seed ${seed + run})`,
      }
      const malformed = damageText(text, seed + run)
      const source = (async function* (): AsyncGenerator<string> {
        yield malformed
      })()
      const events = await awaitDialect(context, 'decoding the stream', () =>
        collectAll(dialect.decodeStream(source, FIXED_IDENTITY)),
      )
      for (const event of events) {
        if (event.type !== 'error') continue
        // The message of an error that the provider reports in the stream is that of the provider.
        const check = event.error instanceof ProviderError ? expectKnownCode : expectTypedError
        check(context, event.error)
      }
    }
  }
}

/** Values that replace a part of the text of a stream. */
const DAMAGES = ['', 'null', '{', '}', '[]', '""', '7', `"${SECRET}"`, '\n\n', '\u0000', '{"a":']

/** Returns the text with one value or character replaced. */
function damageText(text: string, seed: number): string {
  const random = createRandom(seed)
  const damage = DAMAGES[random(DAMAGES.length)] ?? ''
  const values = [...text.matchAll(/"[^"]*"|\d+|true|false|null|\{|\}|\[|\]/g)]
  const value = values[random(values.length)]
  const [start, length] = value === undefined ? [random(text.length), 1] : [value.index, value[0].length]
  return `${text.slice(0, start)}${damage}${text.slice(start + length)}`
}
