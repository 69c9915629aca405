import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Finish, Message } from '../../canonical/model/message.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { fromJson, toJson } from '../../canonical/stored/stored-form.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { throwIfAborted } from '../../wire/cancellation.ts'
import { splitDeltas } from '../split-deltas.ts'
import type { ServedBy, Model, Reply } from '../../canonical/model/model-interface.ts'
import { createReply, startCallTimer } from '../reply.ts'
import type { Middleware } from './middleware.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestJson } from '../../wire/digest.ts'
import { memoizeFrozen } from '../../wire/memoize.ts'

/** What a message or part says about itself that no model is told. */
const IGNORED_KEYS: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'parentId',
  'metadata',
  'usage',
  'finish',
  'origin',
])

/** Digest of the model and of everything in a request that can make a difference to its answer. */
export function createCacheKey(request: ChatRequest, { provider, name }: Model): string {
  const { messages, model: _model, stream: _stream, user: _user, metadata: _metadata, ...settings } = request
  return digestJson(
    toJsonValue({
      provider,
      name,
      settings,
      messages: Array.from(messages, (message) => digestMessage(message)),
    }),
  )
}

/** A conversation comes back with each of its turns: a message is digested once. */
const digestMessage = memoizeFrozen((message: Message) => {
  const content = message.content.map((part) => omitIgnoredKeys(part, part.type === 'tool-call'))
  return digestJson(toJsonValue({ ...omitIgnoredKeys(message), content }))
})

/** The id of a call is told: its result names it. */
function omitIgnoredKeys(value: object, withId = false): object {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !IGNORED_KEYS.has(key) || (withId && key === 'id')),
  )
}

/** Without the keys that say nothing. */
function toJsonValue(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}

/** Where answers are kept as text: a `Map`, a file, a database. It decides how long, and how many. */
export interface CacheStore {
  get(key: string): string | undefined | Promise<string | undefined>
  set(key: string, value: string): unknown
}

/** Where answers are kept. */
export interface CachingOptions {
  readonly store: CacheStore
}

/** Endings that asking again may change. */
const UNCACHED_FINISH_REASONS: ReadonlySet<Finish['reason'] | undefined> = new Set([
  'error',
  'aborted',
  'pause',
  'other',
  undefined,
])

/**
 * Answers what was asked before from a store. The key is a digest of the model and of all in the request that can make a
 * difference to it; ids, times and the application's own notes cannot. A stream is answered with a stream. Errors are not
 * kept. A kept reply says `answeredBy.cached`, and its message gets an id of its own.
 *
 * @example
 * wrap(model, caching({ store: new Map() }))
 */
export function caching({ store }: CachingOptions): Middleware {
  async function findReply(key: string, model: Model): Promise<Reply | undefined> {
    const timer = startCallTimer()
    const text = await store.get(key)
    const kept = text === undefined ? undefined : parseCachedReply(text)
    if (kept === undefined) return undefined
    const reply = createReply(kept.response, { losses: kept.losses, timing: timer.getTiming(0) })
    return { ...reply, servedBy: { ...(kept.servedBy ?? toServedBy(model)), isCached: true } }
  }

  async function saveReply(key: string, reply: Reply): Promise<Reply> {
    const { response, losses, finish, servedBy } = reply
    const kept = {
      ...toJson(response),
      losses,
      ...(servedBy && { servedBy: { provider: servedBy.provider, model: servedBy.model } }),
    }
    if (!UNCACHED_FINISH_REASONS.has(finish?.reason)) await store.set(key, JSON.stringify(kept))
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
      const answer = inner.stream(request, options)
      yield* answer
      return saveReply(key, await answer.reply)
    },
  }
}

function toServedBy({ provider, name }: Model): ServedBy {
  return { provider, model: name }
}

/** An answer as it was kept. */
interface CachedReply extends Pick<Reply, 'response' | 'losses'> {
  /** Who gave it, where it was another than the model inside. */
  readonly servedBy?: ServedBy
}

/** What was kept; what cannot be read, perhaps from another version, was not. */
function parseCachedReply(text: string): CachedReply | undefined {
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
