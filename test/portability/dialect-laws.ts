import {
  accumulate,
  type ChatEvent,
  type DialectName,
  dialects,
  toEvents,
  translateRequest,
  translateResponse,
  translateStream,
} from 'interlingua'
import { dialectConformanceTests, type LawName } from 'interlingua/dialects/testing'
import { type Bodies, rows } from '../dialects/dialect-rows.ts'
import { collect, fixedIdentity, type PortableLaw } from './portable-law.ts'

const NAMES = Object.keys(rows) as DialectName[]

/** The bodies of a dialect that the laws use: the first ones of each list, which differ most from each other. */
const CONFORMANCE_SAMPLES = 2
const TRANSLATED_SAMPLES = 8

/** `linear-work` measures time, which a worker does not see while it computes. */
const LAWS: readonly LawName[] = [
  'interface',
  'samples',
  'exact',
  'pure',
  'edit-safe',
  'no-silent-loss',
  'application-data',
  'stream-equals-response',
  'any-chunking',
  'stream-end',
  'hostile-input',
  'errors',
]

const take = (bodies: Bodies, count: number): Bodies =>
  Object.fromEntries(
    Object.entries(bodies)
      .filter(([, body]) => JSON.stringify(body).length < 1_500)
      .slice(0, count),
  )

/** Returns the bytes of a dialect's stream. */
async function encodeBytes(name: DialectName, events: Iterable<ChatEvent>): Promise<readonly Uint8Array[]> {
  return collect(dialects[name].encodeStream(events, fixedIdentity()))
}

const conformance = NAMES.flatMap((name): readonly PortableLaw[] => {
  const samples = {
    requests: take(rows[name].requests.requests, CONFORMANCE_SAMPLES),
    responses: take(rows[name].responses.responses, CONFORMANCE_SAMPLES),
  }
  const tests = dialectConformanceTests({ dialect: dialects[name], samples, laws: LAWS, runs: 2 })
  return tests.map((test) => ({ name: `${name}: ${test.name}`, run: test.run }))
})

const translations = NAMES.flatMap((from): readonly PortableLaw[] => {
  const requests = Object.values(take(rows[from].requests.requests, TRANSLATED_SAMPLES))
  const responses = Object.values(take(rows[from].responses.responses, TRANSLATED_SAMPLES))
  return NAMES.flatMap((to) => [
    {
      name: `requests of ${from} are translated to ${to}`,
      run: () => requests.map((body) => translateRequest(body, { from, to, ...fixedIdentity() })),
    },
    {
      name: `responses of ${from} are translated to ${to}`,
      run: () => responses.map((body) => translateResponse(body, { from, to, ...fixedIdentity() })),
    },
  ])
})

const streams = NAMES.flatMap((from): readonly PortableLaw[] => {
  const responses = Object.values(take(rows[from].responses.responses, CONFORMANCE_SAMPLES))
  return NAMES.map((to) => ({
    name: `streams of ${from} are translated to ${to}`,
    run: () =>
      Promise.all(
        responses.map(async (body) => {
          const events = toEvents(dialects[from].decodeResponse(body, fixedIdentity()).value)
          const translated = translateStream(toPieces(await encodeBytes(from, events)), {
            from,
            to,
            ...fixedIdentity(),
          })
          const bytes = await collect(translated)
          const response = await accumulate(
            dialects[to].decodeStream(toPieces(bytes), fixedIdentity()),
            fixedIdentity(),
          )
          return { bytes: bytes.map((chunk) => [...chunk]), response, losses: await translated.losses }
        }),
      ),
  }))
})

/** Yields bytes in pieces that split characters, lines and frames. */
async function* toPieces(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) for (let at = 0; at < chunk.length; at += 7) yield chunk.subarray(at, at + 7)
}

/** The conformance suite of every dialect, and translations between all of them. */
export const dialectLaws: readonly PortableLaw[] = [...conformance, ...translations, ...streams]
