import { readFileSync } from 'node:fs'
import {
  assistant,
  createId,
  detect,
  dialects,
  InterlinguaError,
  repair,
  sanitize,
  translateRequest,
  user,
  validate,
} from 'interlingua'
import { isMessage, parseMessage } from 'interlingua/parse'
import { gemini, model } from 'interlingua/providers'
import { stripStrictNulls } from 'interlingua/schema'
import { afterEach, describe, expect, test } from 'vitest'
import { catchError } from '../law-assertions.ts'
import { functionRows } from './function-rows.ts'
import { type Callable, settle, toCallable } from './hostile-calls.ts'
import { CALLER_ERROR, createHostileValues } from './hostile-values.ts'

/**
 * The functions that are not called with any value in any place: error classes, which take what an error has, and
 * functions whose arguments are code or objects of the library. Those with a row in `function-rows.ts` are called there.
 */
const SKIPPED: { readonly [entry: string]: readonly string[] } = {
  '.': ['InterlinguaError', 'ProviderError', 'StreamError'],
  './agent': [
    'OutputError',
    'RunError',
    'ToolExecutor',
    'AgentStream',
    'directRunner.step',
    'embedAll',
    'renderText',
  ],
  // The pieces of a codec: the typed methods of the dialect call them with what they have checked.
  './dialects/kit': [
    'createDefaultErrorCodec',
    'createSseFraming',
    'defineSettings',
    'directSetting',
    'ndjsonFraming.createParser',
    'ndjsonFraming.write',
    'readMedia',
    'readTool',
    'readToolCall',
    'readToolResult',
    'valueChecks.labels',
    'valueChecks.strings',
  ],
  './stores': ['RunTakenOverError'],
  // They run the checks of a test runner against what their user has opened.
  './stores/testing': ['storageConformanceTests'],
  './dialects/testing': ['ConformanceError', 'dialectConformanceTests', 'runDialectConformance'],
  './memory/testing': ['memoryConformanceTests'],
  './stores/dbos': ['dbosRunner'],
}

/** The pieces from which the built-in dialects are made. */
const ENGINE_ENTRY = './dialects/kit/engine'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: object }

const calledEntries = Object.keys(exports)
  .filter((name) => !name.endsWith('.json') && name !== ENGINE_ENTRY)
  .map((name) => [name, [...(SKIPPED[name] ?? []), ...Object.keys(functionRows[name] ?? {})]] as const)

/** Functions that read a stream of the caller: its errors reach the caller unchanged. */
const STREAM_READERS: ReadonlySet<string> = new Set(['..accumulate', '..toText'])

/** Values that are wrong wherever an object is expected: an error says so, and does not ask for a report. */
const PLAIN_VALUES: ReadonlySet<string> = new Set([
  'undefined',
  'null',
  'a number',
  'a text',
  'a symbol',
  'a function',
])

/** The arguments of a call; a soak tries more places. */
const toArguments = (value: unknown): readonly (readonly unknown[])[] =>
  process.env['SOAK']
    ? [[value], [value, value, value], ['hostile', value], [[], value]]
    : [[value], ['hostile', value, value]]

/** Yields the functions of a module, and those of the objects that it exports. */
function* listFunctions(value: object, prefix: string, depth = 0): Generator<[name: string, Callable]> {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const name = `${prefix}.${key}`
    if (typeof inner === 'function') yield [name, toCallable(inner)]
    const isFolder = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    // Each dialect has an entry of its own, and all providers are the same function.
    if (isFolder && depth < 2 && !['dialects', 'providers'].includes(key))
      yield* listFunctions(inner, name, depth + 1)
  }
}

/** The errors that a function throws for hostile values and that are not errors of the library. */
async function findUntyped(
  call: Callable,
  values: ReadonlyMap<string, unknown>,
  passesOn: boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const [title, value] of values) {
    for (const given of toArguments(value)) {
      try {
        const result = call(...given)
        // Some functions return what they were given.
        if (result !== value) await settle(result)
      } catch (error) {
        if (error === CALLER_ERROR && passesOn) continue
        if (!(error instanceof InterlinguaError))
          found.push(`${title} (${given.length}): ${describeError(error)}`)
        // A list in place of another object may be what is wrong, and cannot be told from a right one.
        else if (error.code === 'internal' && PLAIN_VALUES.has(title) && !Array.isArray(given[0]))
          found.push(`${title} (${given.length}): the caller's mistake is reported as one of the library`)
      }
    }
  }
  return found
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error
}

describe('errors of the public functions', () => {
  // Node leaves its own change of this limit behind if the stack overflows while it builds an error.
  const { stackTraceLimit } = Error
  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit
  })

  test.each(calledEntries)('%s: only errors of the library', async (entry, skipped) => {
    const loaded = (await import(/* @vite-ignore */ entry.replace('.', 'interlingua'))) as object
    const values = createHostileValues()
    const untyped: string[] = []
    for (const [name, call] of listFunctions(loaded, entry)) {
      if (skipped.includes(name.slice(entry.length + 1))) continue
      const [first] = await findUntyped(call, values, STREAM_READERS.has(name))
      if (first !== undefined) untyped.push(`${name}: ${first}`)
    }
    expect(untyped).toEqual([])
  })

  const deep = createHostileValues().get('a deep object') as never

  test.each([
    ['detect: odd toString', () => detect({ type: { toString: () => ({}) } }), undefined],
    [
      'detect: toString that throws',
      () => detect(createHostileValues().get('toString that throws')),
      undefined,
    ],
    [
      'encodeRequest: content of null',
      () => encode({ messages: [{ role: 'user', content: [null] }] }),
      'invalid-type',
    ],
    ['encodeRequest: no messages', () => encode({}), 'invalid-type'],
    [
      'decodeRequest: content of null',
      () => decode({ messages: [{ role: 'user', content: [null] }] }),
      undefined,
    ],
    ['repair: unparsed JSON', () => repair([{ role: 'user', content: 'Hi' }] as never), 'invalid-type'],
    ['sanitize: not a list', () => sanitize(42 as never), 'invalid-type'],
    ['stripStrictNulls: deep values', () => stripStrictNulls(deep, { type: 'object' }), 'too-deep'],
    [
      'parseMessage: deep content',
      () => parseMessage({ role: 'user', content: 'x', metadata: deep }),
      'too-deep',
    ],
    [
      'translateRequest: unknown dialect',
      () => translateRequest({}, { from: 'x', to: 'y' } as never),
      'invalid-value',
    ],
    ['endpoint: lone surrogates in the model', () => gemini3('\uD800'), 'invalid-value'],
    ['endpoint: a model that walks the path', () => gemini3('..'), 'invalid-value'],
    ['createId: an absurd time', () => createId('x', () => 8.64e15), 'invalid-value'],
    ['user: an absurd time', () => user('x', { now: () => Number.NaN }), 'invalid-value'],
    ['model: not a name', () => model(Symbol('x') as never), 'missing-field'],
    ['gemini: no model', () => gemini(null as never), 'missing-field'],
  ])('%s', (_title, act, code) => {
    const thrown = catchError(act)
    expect(thrown === undefined || thrown instanceof InterlinguaError).toBe(true)
    expect((thrown as InterlinguaError | undefined)?.code).toBe(code)
  })

  test('validate never throws: what is not a message is a problem', () => {
    for (const [, value] of createHostileValues()) {
      const problems = [validate(value as never), validate([value] as never), validate([], value as never)]
      for (const { rule, message } of problems.flat())
        expect([rule, message]).toEqual([rule, expect.any(String)])
    }
    expect(
      validate([user('Hi'), { role: 'user', content: [null] }, { id: 'a', role: 'x' }] as never),
    ).toMatchObject([
      { rule: 'invalid-message', path: '/1/content/0' },
      { rule: 'invalid-message', path: '/2/content' },
    ])
  })

  test('type guards return false for what they cannot read', () => {
    for (const [, value] of createHostileValues()) expect(isMessage(value)).toBe(false)
  })

  test('errors of functions of the caller reach the caller unchanged', () => {
    const own = new RangeError('mine')
    const fail = (): never => {
      throw own
    }
    const messages = [
      user('Hi'),
      user([{ type: 'image', source: { kind: 'url', url: 'https://a.example/b' } }]),
    ]
    for (const act of [
      () => sanitize(messages, { isTrusted: fail }),
      () => sanitize(messages, { urls: fail }),
      () => user('Hi', { now: fail }),
      () => user('Hi', { newId: fail }),
      () => repair([assistant('a', { id: 'x' }), assistant('b', { id: 'x' })], undefined, { onRepair: fail }),
      () => dialects.anthropic.encodeRequest({ messages, model: 'm', seed: 1 }, { onLoss: fail }),
    ])
      expect(catchError(act)).toBe(own)
  })
})

const encode = (request: unknown): unknown => dialects.anthropic.encodeRequest(request as never)
const decode = (body: unknown): unknown => dialects.anthropic.decodeRequest(body)
const gemini3 = (name: string): unknown => dialects.gemini.endpoint({ model: name, messages: [] })
