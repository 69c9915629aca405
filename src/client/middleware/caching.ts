import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { FinishReason, Message } from '../../canonical/model/message.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { fromJson, toJson } from '../../canonical/stored/stored-form.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { InterlinguaError } from '../../errors.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { throwIfAborted } from '../../wire/cancellation.ts'
import { splitDeltas } from '../split-deltas.ts'
import type { ServedBy, Model, Reply } from '../../canonical/model/model-interface.ts'
import { createReply, startCallTimer } from '../reply.ts'
import type { Middleware } from './middleware.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestJson } from '../../wire/digest.ts'
import { memoizeFrozen } from '../../wire/memoize.ts'

/** Fields of a message or part that are not sent to the model. */
const IGNORED_KEYS = new Set(['id', 'createdAt', 'parentId', 'metadata', 'usage', 'finish', 'origin'])

/** Returns a digest of the model and of everything in a request that can affect the response. */
export function createCacheKey(request: ChatRequest, { provider, name }: Model): string {
  const { messages, model: _model, stream: _stream, user: _user, metadata: _metadata, ...settings } = request
  const digests = Array.from(messages, (message) => digestMessage(message))
  return digestJson(toJsonValue({ provider, name, settings, messages: digests }))
}

/** Memoized, because a conversation repeats its messages in every turn. */
const digestMessage = memoizeFrozen((message: Message) => {
  const content = message.content.map((part) => omitIgnoredKeys(part, part.type === 'tool-call'))
  return digestJson(toJsonValue({ ...omitIgnoredKeys(message), content }))
})

/** Removes fields that are not sent. The id of a tool call is sent, because its result refers to it. */
function omitIgnoredKeys(value: object, withId = false): object {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !IGNORED_KEYS.has(key) || (withId && key === 'id')),
  )
}

/** Removes keys whose value is undefined. */
function toJsonValue(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

/** A store of replies as text: a `Map`, a file, a database. It decides how long it keeps entries. */
export interface CacheStore {
  get(key: string): string | undefined | Promise<string | undefined>
  set(key: string, value: string): unknown
}

/** Options of {@link caching}. */
export interface CachingOptions {
  readonly store: CacheStore
}

/** Finish reasons that another attempt may change. */
const UNCACHED_REASONS = new Set<FinishReason | undefined>(['error', 'aborted', 'pause', 'other', undefined])

/**
 * Returns a middleware that serves repeated requests from a store. The key is a digest of the model and of everything
 * in the request that can affect the response; ids, timestamps and metadata cannot. A streamed request gets a stream.
 * Errors are not cached. A cached reply has `servedBy.isCached`, and its message gets a new id.
 *
 * @example
 * wrapModel(model, caching({ store: new Map() }))
 */
export function caching(options: CachingOptions): Middleware {
  checkOptions('`caching`', options, { store: true })
  const { store } = options
  async function findReply(key: string, model: Model): Promise<Reply | undefined> {
    const timer = startCallTimer()
    const text = await store.get(key)
    const cached = text === undefined ? undefined : parseCachedReply(text)
    if (cached === undefined) return undefined
    const reply = createReply(cached.response, { losses: cached.losses, timing: timer.getTiming(0) })
    const wrapped = { provider: model.provider, model: model.name }
    return { ...reply, servedBy: { ...(cached.servedBy ?? wrapped), isCached: true } }
  }

  async function saveReply(key: string, reply: Reply): Promise<Reply> {
    const { response, losses, finish, servedBy } = reply
    const entry = {
      ...toJson(response),
      losses,
      ...(servedBy && { servedBy: { provider: servedBy.provider, model: servedBy.model } }),
    }
    if (!UNCACHED_REASONS.has(finish?.reason)) await store.set(key, JSON.stringify(entry))
    return reply
  }

  return {
    async generate(request, options, inner) {
      const key = createCacheKey(request, inner)
      const found = await findReply(key, inner)
      throwIfAborted(options.signal)
      return found ?? saveReply(key, await inner.generate(request, options))
    },
    async *stream(request, options, inner) {
      const key = createCacheKey(request, inner)
      const found = await findReply(key, inner)
      throwIfAborted(options.signal)
      if (found !== undefined) {
        yield* splitDeltas(toEvents(found.response))
        return found
      }
      const stream = inner.stream(request, options)
      yield* stream
      return saveReply(key, await stream.reply)
    },
  }
}

/** Parses a stored reply; an unreadable one, such as one of another version, counts as missing. */
function parseCachedReply(text: string): Pick<Reply, 'response' | 'losses' | 'servedBy'> | undefined {
  try {
    const stored: unknown = JSON.parse(text)
    const response = fromJson(stored, 'response')
    const candidates = response.candidates.map((message) => ({ ...message, id: generateId('msg', {}) }))
    const { losses, servedBy } = isObject(stored) ? stored : {}
    return {
      response: { ...response, candidates },
      losses: Array.isArray(losses) ? losses.filter(isLoss) : [],
      ...(isServedBy(servedBy) && { servedBy: { provider: servedBy.provider, model: servedBy.model } }),
    }
  } catch (error) {
    if (error instanceof InterlinguaError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const LOSS_FIELDS = ['path', 'dialect', 'action', 'severity', 'rule', 'reason']

function isLoss(value: unknown): value is Loss {
  return isObject(value) && LOSS_FIELDS.every((field) => typeof value[field] === 'string')
}

function isServedBy(value: unknown): value is ServedBy {
  return isObject(value) && typeof value['provider'] === 'string' && typeof value['model'] === 'string'
}
