/**
 * Pins the residue and the hints of every dialect as version 1 stores them: test/golden/residue/v1.json contains the stored
 * form of the small bodies in test/dialects/stored-bodies. Later versions must read the file and encode each entry to exactly the
 * body that it came from.
 *
 * Until the first release the file may be rewritten deliberately, in a commit that says why; afterwards never. To add
 * entries, or to rewrite the file:
 *
 *     UPDATE_GOLDEN=1 npx vitest run test/dialects/stored-residue.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import {
  type ChatEvent,
  type DialectName,
  dialects,
  fromJson,
  type Json,
  type JsonObject,
  toJson,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { hintMeanings as anthropicHints } from '../../src/dialects/anthropic/hints.ts'
import { hintMeanings as bedrockHints } from '../../src/dialects/bedrock/hints.ts'
import { hintMeanings as cohereHints } from '../../src/dialects/cohere/hints.ts'
import { getStreamCodec } from '../../src/dialects/engine/define-dialect.ts'
import { decodeStream } from '../../src/dialects/engine/stream-codec.ts'
import { hintMeanings as geminiHints } from '../../src/dialects/gemini/hints.ts'
import { hintMeanings as interactionsHints } from '../../src/dialects/gemini-interactions/hints.ts'
import {
  engineHints,
  callIdHints,
  mediaHints,
  propertyKeyHints,
  reasoningItemHints,
  toolNameHints,
  schemaHints,
  strictNullHints,
} from '../../src/dialects/engine/residue-hints.ts'
import { hintMeanings as mistralHints } from '../../src/dialects/mistral/hints.ts'
import { hintMeanings as ollamaHints } from '../../src/dialects/ollama/hints.ts'
import { hintMeanings as chatHints } from '../../src/dialects/openai-chat/hints.ts'
import { hintMeanings as responsesHints } from '../../src/dialects/openai-responses/hints.ts'
import { again, expectSame } from '../law-assertions.ts'
import { cases as anthropicCases } from './stored-bodies/anthropic.ts'
import { cases as bedrockCases } from './stored-bodies/bedrock.ts'
import { cases as cohereCases } from './stored-bodies/cohere.ts'
import type { GoldenCase } from './stored-bodies/case.ts'
import { cases as geminiCases } from './stored-bodies/gemini.ts'
import { cases as interactionsCases } from './stored-bodies/gemini-interactions.ts'
import { cases as mistralCases } from './stored-bodies/mistral.ts'
import { cases as ollamaCases } from './stored-bodies/ollama.ts'
import { cases as chatCases } from './stored-bodies/openai-chat.ts'
import { cases as responsesCases } from './stored-bodies/openai-responses.ts'
import { collect, framedTexts, source, encodeStreamText } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'

interface Row {
  readonly cases: readonly GoldenCase[]
  /** The names of all hints that the dialect writes, with their meanings. */
  readonly hints: { readonly [name: string]: string }
}

const rows: { readonly [name in DialectName]: Row } = {
  anthropic: {
    cases: anthropicCases,
    hints: { ...anthropicHints, ...propertyKeyHints, ...toolNameHints, ...callIdHints, ...schemaHints },
  },
  gemini: { cases: geminiCases, hints: { ...geminiHints, ...toolNameHints, ...schemaHints } },
  ollama: { cases: ollamaCases, hints: { ...ollamaHints, ...schemaHints } },
  'openai-chat': {
    cases: chatCases,
    hints: {
      ...chatHints,
      ...mediaHints,
      ...toolNameHints,
      ...callIdHints,
      ...schemaHints,
      ...strictNullHints,
    },
  },
  'openai-responses': {
    cases: responsesCases,
    hints: {
      ...responsesHints,
      ...reasoningItemHints,
      ...mediaHints,
      ...toolNameHints,
      ...callIdHints,
      ...schemaHints,
      ...strictNullHints,
    },
  },
  mistral: {
    cases: mistralCases,
    hints: {
      ...mistralHints,
      ...mediaHints,
      ...toolNameHints,
      ...callIdHints,
      ...schemaHints,
      ...strictNullHints,
    },
  },
  'gemini-interactions': {
    cases: interactionsCases,
    hints: { ...interactionsHints, ...reasoningItemHints, ...toolNameHints, ...schemaHints },
  },
  bedrock: {
    cases: bedrockCases,
    hints: { ...bedrockHints, ...propertyKeyHints, ...toolNameHints, ...callIdHints, ...schemaHints },
  },
  cohere: { cases: cohereCases, hints: { ...cohereHints, ...toolNameHints, ...schemaHints } },
}

const names = Object.keys(rows) as DialectName[]

/** The stored form of a request or a response, or the events of a stream. */
type Golden = { readonly [dialect in DialectName]: { readonly [name: string]: { wire: Json; stored: Json } } }

/** All groups that residue contains below `$`. */
const groups = ['bound', 'hints', 'length', 'nested', 'omitted', 'replaced', 'spelledAs']

/** An escaped `$`, the frame of an item, an opaque message, a repeated value. */
const marks = ['$$', '$item', '$message', '$repeatOf']

const file = new URL('../golden/residue/v1.json', import.meta.url)

/** Decodes a body as version 1 does, with fixed ids and dates. */
async function store(
  dialect: DialectName,
  { kind, wire, isReply, flavor, request }: GoldenCase,
): Promise<Json> {
  const codec = dialects[dialect]
  let ids = 0
  const options = {
    newId: (prefix: string): string => `${prefix}_${(ids += 1)}`,
    now: () => 0,
    ...(flavor !== undefined && { flavor }),
    ...(request !== undefined && { request }),
  }
  if (kind === 'request') return again(toJson(codec.decodeRequest(wire, options).value)) as Json
  if (kind === 'response') return again(toJson(codec.decodeResponse(wire, options).value)) as Json
  const text = framedTexts(
    dialect,
    (wire as readonly Json[]).map((each) => JSON.stringify(each)),
  )
  const residue = isReply === true ? 'parts' : 'frames'
  return again(await collect(decodeStream(getStreamCodec(codec), source(text), options, residue))) as Json
}

/** Encodes a stored value. */
async function restore(
  dialect: DialectName,
  { kind, flavor }: GoldenCase,
  stored: Json,
): Promise<{ readonly value: Json; readonly losses: readonly unknown[] }> {
  const options = { now: () => 0, ...(flavor !== undefined && { flavor }) }
  const codec = dialects[dialect]
  if (kind === 'stream') {
    const { text, losses } = await encodeStreamText(dialect, stored as unknown as ChatEvent[], options)
    return { value: payloads(text), losses }
  }
  const { value, losses } =
    kind === 'request'
      ? codec.encodeRequest(fromJson(stored, 'request'), options)
      : codec.encodeResponse(fromJson(stored, 'response'), options)
  return { value: again(value) as Json, losses }
}

/** The keys of all objects that a stored value contains under a key. */
function keysBelow(value: Json, key: string): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const own = Object.entries(value as JsonObject).flatMap(([name, each]) => [
    ...(name === key ? Object.keys(each as JsonObject) : []),
    ...keysBelow(each, key),
  ])
  return new Set(own)
}

function storedBy(dialect: DialectName): Json {
  return Object.values(golden[dialect]).map(({ stored }) => stored)
}

if (process.env['UPDATE_GOLDEN'] !== undefined) {
  const made = await Promise.all(
    names.map(async (dialect) => {
      const entries = rows[dialect].cases.map(async (each) => {
        return [each.name, { wire: each.wire, stored: await store(dialect, each) }] as const
      })
      return [dialect, Object.fromEntries(await Promise.all(entries))] as const
    }),
  )
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(made), null, 1)}\n`)
}

const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden

describe.each(names)('residue that version 1 of %s stored', (dialect) => {
  const { cases, hints } = rows[dialect]

  test.each(cases)('$kind $name is read, and encoded to the body that it was decoded from', async (each) => {
    const { wire, stored } = golden[dialect][each.name] ?? expect.fail('is not in the golden file')
    expectSame(wire, each.wire)
    const { value, losses } = await restore(dialect, each, stored)
    expectSame(value, wire)
    expect(losses).toEqual([])
  })

  test.each(cases)('$kind $name is stored the same today', async (each) => {
    expectSame(await store(dialect, each), golden[dialect][each.name]?.stored)
  })

  test('contains every hint of the dialect, and no other', () => {
    const own = [...keysBelow(storedBy(dialect), 'hints')].filter((name) => !Object.hasOwn(engineHints, name))
    expect(own.toSorted()).toEqual(Object.keys(hints).toSorted())
  })
})

test('the golden file contains every hint of the engine, every group below `$` and every mark', () => {
  const stored = names.map(storedBy)
  expect([...keysBelow(stored, 'hints')]).toEqual(expect.arrayContaining(Object.keys(engineHints)))
  expect([...keysBelow(stored, '$')].toSorted()).toEqual(groups)
  for (const mark of marks) expect(JSON.stringify(stored)).toContain(`"${mark}":`)
})

test('every hint has a meaning of one sentence', () => {
  const all = names.flatMap((name) => Object.entries(rows[name].hints))
  for (const [name, meaning] of [...all, ...Object.entries(engineHints)]) {
    expect(meaning, name).toMatch(/^[A-Z`].*[^.]\.$/)
  }
})
