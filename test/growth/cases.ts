import fc from 'fast-check'
import type { DialectName, Json, JsonObject } from 'interlingua'
import { conversationFields } from '../../src/cli/input/body-shapes.ts'
import { createRandom } from '../fuzz/mutate.ts'
import { subjects } from '../dialects/dialect-table.ts'
import { payloads } from '../dialects/stream-payloads.ts'
import { conversationRows } from '../formats/conversations/format-table.ts'
import { samples } from '../formats/transcripts/sample-files.ts'
import { formatRows } from '../formats/messages/format-table.ts'
import { wireValue } from '../wire-arbitraries.ts'
import { type Inflation, listInflations } from './inflate.ts'
import type { InputKind } from './operation.ts'
import { schemaInputs } from './schema-inputs.ts'

/** One way to make one input larger. */
export interface GrowthCase {
  readonly title: string
  readonly kind: InputKind
  readonly dialect: DialectName
  readonly build: (count: number) => Json
}

interface Input {
  readonly kind: InputKind
  readonly dialect: DialectName
  readonly value: Json
}

/** Generated inputs of each kind. */
const GENERATED = process.env['SOAK'] ? 30 : 2

/** Streams keep so many payloads: the others repeat their types. */
const MAX_PAYLOADS = 40

/** Returns the inputs of each kind: recorded, documented and generated ones. */
export function listInputs(): readonly Input[] {
  const bodies = subjects.flatMap(({ name, fixtures, recordings, row, streams }): readonly Input[] => [
    ...(['request', 'response'] as const).flatMap((kind) => {
      const generated = fc.sample(wireValue(row.schemas[kind][0] as never), { numRuns: GENERATED, seed: 1 })
      return [
        ...[...fixtures[kind], ...recordings[kind]].map(({ body }) => body as Json),
        ...(generated as Json[]),
      ].map((value) => ({ kind, dialect: name, value }))
    }),
    ...streams.flatMap(({ text }) => {
      const list = tryPayloads(text)
      return list.length === 0 ? [] : [{ kind: 'stream' as const, dialect: name, value: thinOut(list) }]
    }),
    ...fixtures.response.map(({ body }) => ({ kind: 'stream' as const, dialect: name, value: [body] })),
  ])
  const messages = formatRows.flatMap(({ messages: generated }) =>
    fc
      .sample(generated, { numRuns: GENERATED, seed: 1 })
      .map((value) => ({ kind: 'messages' as const, value: value as Json })),
  )
  // The messages of each dialect without their request: most generated ones have another format.
  const lists = subjects.flatMap(({ name, fixtures }): readonly Input[] => {
    const list = fixtures.request[0]?.body[conversationFields[name].key]
    return Array.isArray(list) ? [{ kind: 'messages', dialect: name, value: list as readonly Json[] }] : []
  })
  const files = [
    ...conversationRows.flatMap(({ record }) =>
      fc.sample(record, { numRuns: GENERATED, seed: 1 }).map((each) => [each]),
    ),
    ...Object.values(samples).flatMap(([, input]) => (typeof input === 'string' ? [readRecords(input)] : [])),
  ]
  return [
    ...bodies,
    ...files.map((value) => ({ kind: 'file' as const, dialect: 'openai-chat' as const, value })),
    ...messages.map((each) => ({ ...each, dialect: 'openai-chat' as const })),
    ...lists,
    ...schemaInputs.map((value) => ({ kind: 'schema' as const, dialect: 'openai-chat' as const, value })),
  ]
}

/** Returns the records of a session file: its lines, or its only document. */
function readRecords(text: string): readonly Json[] {
  const lines =
    text.trim().startsWith('{\n') || text.trim().startsWith('[') ? [text] : text.trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Json)
}

function tryPayloads(text: string): readonly Json[] {
  try {
    return payloads(text)
  } catch {
    return []
  }
}

/** Keeps the first payloads of each type, and the end of the stream. */
function thinOut(list: readonly Json[]): readonly Json[] {
  const seen = new Map<string, number>()
  return list
    .filter((payload, at) => {
      const shape = describeShape(payload)
      const count = (seen.get(shape) ?? 0) + 1
      seen.set(shape, count)
      return count <= 3 || at >= list.length - 3
    })
    .slice(0, MAX_PAYLOADS)
}

function describeShape(payload: Json): string {
  return Object.entries(payload as JsonObject)
    .map(([key, value]) => (key === 'type' ? JSON.stringify(value) : key))
    .join()
}

/** In a stream, an event can be repeated in its place, too. */
function listEventInflations(value: readonly Json[]): readonly Inflation[] {
  return value.flatMap((payload, at) =>
    listInflations([payload])
      .filter(({ kind, path }) => kind === 'list' && path.length === 0)
      .map((inflation) => ({
        ...inflation,
        pattern: `event ${describeShape(payload)}`,
        build: (count: number) => [
          ...value.slice(0, at),
          ...(inflation.build(count) as readonly Json[]),
          ...value.slice(at + 1),
        ],
      })),
  )
}

/**
 * Returns every case of some inputs once, in a random order that depends on the seed alone. A text is made longer by fewer
 * cases than a list: there are more of them, and they differ less.
 */
export function listCases(seed: number, maxInputs: number): readonly GrowthCase[] {
  const cases = new Map<string, GrowthCase>()
  const random = createRandom(seed)
  for (const { kind, dialect, value } of shuffle([...listInputs()], random).slice(0, maxInputs)) {
    const events = kind === 'stream' ? listEventInflations(value as readonly Json[]) : []
    for (const inflation of [...events, ...listInflations(value)]) {
      const { pattern, filling, build } = inflation
      if (inflation.kind === 'text' && random() > 0.2) continue
      const title = `${dialect} ${kind} ${pattern} with ${filling}`
      if (!cases.has(title)) cases.set(title, { title, kind, dialect, build })
    }
  }
  return shuffle([...cases.values()], random)
}

function shuffle<T>(list: T[], random: () => number): readonly T[] {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const held = list[at] as T
    list[at] = list[other] as T
    list[other] = held
  }
  return list
}
