import { freshId } from '../../canonical/build/identity.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { fromJson, toJson } from '../../canonical/stored/stored.ts'
import { emit } from '../../canonical/stream/emit.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'
import { throwIfAborted } from '../../wire/abort.ts'
import { chunked } from '../chunks.ts'
import type { Answerer, Model, Reply } from '../model.ts'
import { replyOf, startTimer } from '../reply.ts'
import { cacheKey } from './cache-key.ts'
import type { Middleware } from './wrap.ts'

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
const PASSING: ReadonlySet<Finish['reason'] | undefined> = new Set([
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
  async function find(key: string, model: Model): Promise<Reply | undefined> {
    const timer = startTimer()
    const text = await store.get(key)
    const kept = text === undefined ? undefined : read(text)
    if (kept === undefined) return undefined
    const reply = replyOf(kept.response, { losses: kept.losses, timing: timer.timing(0) })
    return { ...reply, answeredBy: { ...(kept.by ?? whoIs(model)), cached: true } }
  }

  async function keep(key: string, reply: Reply): Promise<Reply> {
    const { response, losses, finish, answeredBy: by } = reply
    const kept = {
      ...toJson(response),
      losses,
      ...(by && { by: { provider: by.provider, model: by.model } }),
    }
    if (!PASSING.has(finish?.reason)) await store.set(key, JSON.stringify(kept))
    return reply
  }

  return {
    async generate(request, options, inner) {
      const key = cacheKey(request, inner)
      const found = await find(key, inner)
      throwIfAborted(options.signal)
      return found ?? keep(key, await inner.generate(request, options))
    },
    async *stream(request, options, inner) {
      const key = cacheKey(request, inner)
      const found = await find(key, inner)
      throwIfAborted(options.signal)
      if (found !== undefined) {
        yield* chunked(emit(found.response))
        return found
      }
      const answer = inner.stream(request, options)
      yield* answer
      return keep(key, await answer.reply)
    },
  }
}

function whoIs({ provider, name }: Model): Answerer {
  return { provider, model: name }
}

/** An answer as it was kept. */
interface Kept extends Pick<Reply, 'response' | 'losses'> {
  /** Who gave it, where it was another than the model inside. */
  readonly by?: Answerer
}

/** What was kept; what cannot be read, perhaps from another version, was not. */
function read(text: string): Kept | undefined {
  try {
    const stored: unknown = JSON.parse(text)
    const response = fromJson(stored, 'response')
    const candidates = response.candidates.map((message) => ({ ...message, id: freshId('msg', {}) }))
    const { losses, by } = isObject(stored) ? stored : {}
    return {
      response: { ...response, candidates },
      losses: Array.isArray(losses) ? losses.filter(isLoss) : [],
      ...(isAnswerer(by) && { by: { provider: by.provider, model: by.model } }),
    }
  } catch (error) {
    if (error instanceof InterlinguaError || error instanceof SyntaxError) return undefined
    throw error
  }
}

const FIELDS = ['path', 'action', 'severity', 'rule', 'reason']

function isLoss(value: unknown): value is Loss {
  return isObject(value) && FIELDS.every((field) => typeof value[field] === 'string')
}

function isAnswerer(value: unknown): value is Answerer {
  return isObject(value) && typeof value['provider'] === 'string' && typeof value['model'] === 'string'
}
