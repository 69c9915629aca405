import {
  accumulate,
  type ChatEvent,
  type ChatRequest,
  type ChatResponse,
  type DialectName,
  dialects,
  type EncodedStream,
  type IdentityOptions,
  type Json,
  type JsonObject,
  type Loss,
  type Message,
  ProviderError,
  toEvents,
  translateRequest,
  translateResponse,
  translateStream,
} from 'interlingua'
import type {
  GoldenCases,
  GoldenError,
  GoldenKind,
  GoldenLoss,
  GoldenRequest,
  GoldenResponse,
  GoldenStream,
  GoldenTarget,
  GoldenTranslation,
} from 'interlingua/golden'
import { getStreamCodec } from '../../src/dialects/engine/define-dialect.ts'
import { collect, framed, source as toSource } from '../dialects/stream-responses.ts'
import type { ErrorSource } from './error-sources.ts'
import { MODELS, NOW, type RequestSource } from './golden-source.ts'
import type { ResponseSource } from './response-sources.ts'
import type { TranslationSource } from './translation-sources.ts'

const NAMES = Object.keys(dialects) as DialectName[]

const now = (): number => NOW

/** The options of decoding. `numberMessages` replaces the ids, because decoders generate them in different orders. */
export const IDENTITY: Required<IdentityOptions> = { newId: (prefix) => `${prefix}_0`, now }

const numbered = <T extends { readonly id: string }>(list: Iterable<T>): readonly T[] =>
  [...list].map((each, index) => ({ ...each, id: `msg_${index + 1}` }))

/** Returns a decoded value in which the n-th message, or the n-th candidate, has the id `msg_n`. */
export function numberMessages<T extends ChatRequest | ChatResponse>(value: T): T {
  if ('messages' in value) return { ...value, messages: numbered<Message>(value.messages) }
  return { ...value, candidates: numbered(value.candidates) }
}

/** Returns a record with a value for each dialect. */
function perDialect<T>(build: (name: DialectName) => T): { readonly [name in DialectName]: T } {
  return Object.fromEntries(NAMES.map((name) => [name, build(name)])) as { [name in DialectName]: T }
}

async function perDialectAsync<T>(
  build: (name: DialectName) => Promise<T>,
): Promise<{ readonly [name in DialectName]: T }> {
  const values = await Promise.all(NAMES.map(build))
  return perDialect((name) => values[NAMES.indexOf(name)] as T)
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Returns losses in an order that does not depend on the encoder, without their texts. */
function toGoldenLosses(losses: readonly Loss[]): readonly GoldenLoss[] {
  return losses
    .map(({ path, rule, action, severity }) => ({ path, rule, action, severity }))
    .toSorted((a, b) => compare(a.path, b.path) || compare(a.rule, b.rule))
}

export function buildRequest({ name, description, request, models }: RequestSource): GoldenRequest {
  return {
    version: 1,
    kind: 'request',
    name,
    description,
    canonical: request,
    dialects: perDialect((dialect) => {
      const options = { model: models?.[dialect] ?? MODELS[dialect] }
      const { value, losses } = dialects[dialect].encodeRequest(request, { ...options, now })
      const endpoint = dialects[dialect].endpoint(request, options)
      const decoding = { ...IDENTITY, path: endpoint.path }
      return {
        options,
        endpoint,
        body: value,
        losses: toGoldenLosses(losses),
        decoded: numberMessages(dialects[dialect].decodeRequest(value, decoding).value),
      }
    }),
  }
}

export async function buildResponse({
  name,
  description,
  response,
}: ResponseSource): Promise<GoldenResponse> {
  const events = toEvents(response)
  return {
    version: 1,
    kind: 'response',
    name,
    description,
    canonical: response,
    events,
    dialects: await perDialectAsync(async (dialect) => {
      const { value, losses } = dialects[dialect].encodeResponse(response, { now })
      return {
        body: value as unknown as JsonObject,
        losses: toGoldenLosses(losses),
        decoded: numberMessages(dialects[dialect].decodeResponse(value, IDENTITY).value),
        stream: await buildStream(dialect, events),
      }
    }),
  }
}

async function buildStream(dialect: DialectName, events: readonly ChatEvent[]): Promise<GoldenStream> {
  const stream = dialects[dialect].encodeStream(events, { now })
  const { payloads, losses } = await readPayloads(dialect, stream)
  return { payloads, losses, accumulated: await accumulatePayloads(dialect, payloads) }
}

/** Returns the JSON payloads of a stream, without their framing, and its losses. */
async function readPayloads(
  dialect: DialectName,
  stream: EncodedStream,
): Promise<{ readonly payloads: readonly Json[]; readonly losses: readonly GoldenLoss[] }> {
  const payloads: Json[] = []
  const parser = getStreamCodec(dialects[dialect]).framing.createParser((payload) => payloads.push(payload))
  for (const bytes of await collect(stream)) parser.push(bytes)
  return { payloads, losses: toGoldenLosses(await stream.losses) }
}

/** Decodes the payloads of a stream without residue. An error at its end is kept as the reason to finish. */
export async function accumulatePayloads(
  dialect: DialectName,
  payloads: readonly Json[],
): Promise<ChatResponse> {
  const options = { ...IDENTITY, exact: false }
  const events = dialects[dialect].decodeStream(toSource(framed(dialect, payloads)), options)
  return numberMessages(await accumulate(withoutErrors(events), IDENTITY))
}

async function* withoutErrors(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  for await (const event of events)
    yield event.type === 'error' ? { type: 'finish', finish: { reason: 'error' } } : event
}

export async function buildTranslation(given: TranslationSource): Promise<GoldenTranslation> {
  return {
    version: 1,
    kind: 'translation',
    ...given,
    decoded: await decodeSource(given),
    targets: await perDialectAsync((to) => translateSource(given, to)),
  }
}

async function decodeSource({ of, from, source }: TranslationSource): Promise<GoldenTranslation['decoded']> {
  if (of === 'request') return numberMessages(dialects[from].decodeRequest(source, IDENTITY).value)
  if (of === 'response') return numberMessages(dialects[from].decodeResponse(source, IDENTITY).value)
  return accumulatePayloads(from, source as readonly Json[])
}

async function translateSource(
  { of, from, source }: TranslationSource,
  to: DialectName,
): Promise<GoldenTarget> {
  // A model of another vendor must be replaced; the received body keeps its own.
  const options = of === 'request' && to !== from ? { model: MODELS[to] } : {}
  const all = { from, to, ...options, ...IDENTITY }
  if (of === 'stream') {
    const stream = translateStream(toSource(framed(from, source as readonly Json[])), all)
    const { payloads, losses } = await readPayloads(to, stream)
    return { options, result: payloads, losses }
  }
  const { value, losses } = of === 'request' ? translateRequest(source, all) : translateResponse(source, all)
  return { options, result: value as unknown as JsonObject, losses: toGoldenLosses(losses) }
}

export function buildError({ name, description, error }: ErrorSource): GoldenError {
  const { message, ...details } = error
  return {
    version: 1,
    kind: 'error',
    name,
    description,
    canonical: error,
    dialects: perDialect((dialect) => {
      const { status, headers, body } = dialects[dialect].encodeError(new ProviderError(message, details))
      const decoded = dialects[dialect].decodeError(status, body, headers).toJSON()
      return { status, headers, body, decoded }
    }),
  }
}

/** A case of any kind. */
export type AnyGoldenCase = GoldenCases[GoldenKind]
