import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { STREAM_TYPES, toReadableStream } from '../../dialects/server/stream-body.ts'
import { toBytes } from '../../wire/byte-source.ts'
import { toTypedError } from '../../wire/typed-errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import {
  type ChatCall,
  streamAnswer,
  type StreamedAnswer,
  streamFailure,
  type StreamOutcome,
} from '../chat-answer.ts'
import { RunningResponse, EndedResponses } from './running-response.ts'
import type { ResponseFormat } from './response-format.ts'
import type { ResponseStore, StoredResponse } from './response-store.ts'
import type { StatefulTurn, Turn } from './stateful-turn.ts'

/** How long a run counts as alive after its gateway has stopped, and how often a run says that it is alive. */
const LEASE_MS = 60_000
const RENEWAL_MS = 15_000

type StatefulChat = Turn & { readonly stateful: StatefulTurn }

/** Returns true if a client asks for an answer in the background. */
export function isBackgroundTurn(turn: Turn): turn is StatefulChat {
  return turn.stateful?.isBackground === true
}

/** A turn to run in the background. */
export interface BackgroundTurn {
  readonly call: Omit<ChatCall, 'signal'>
  readonly turn: StatefulChat
  readonly store: ResponseStore
  /** Called when the run has ended. */
  readonly onEnd: (outcome: StreamOutcome) => Promise<void>
  /** Called for an error that no client gets. */
  readonly onError: (error: unknown) => void
}

/**
 * The responses that this gateway generates in the background. A lease of the storage says which ones still run, so that any
 * instance can report and cancel those of another, and none waits for a run whose gateway has stopped.
 */
export class BackgroundResponses {
  readonly #runs = new Map<string, RunningResponse>()
  readonly #ended = new EndedResponses()

  /** Stores an unfinished response, starts to generate it, and returns its body or its events. */
  async start(background: BackgroundTurn): Promise<Response> {
    const { call, turn, store } = background
    const { stateful } = turn
    const body = createUnfinishedBody(call, stateful)
    await stateful.saveUnfinished(body)
    const run = new RunningResponse(() => stateful.cancel())
    const token = createId('run')
    await store.storage.acquireLease(stateful.id, { token, durationMs: LEASE_MS, holder: 'gateway' })
    this.#runs.set(stateful.id, run)
    void this.#run(background, run, token).catch(background.onError)
    return turn.isStreamed
      ? (this.createStream(stateful.id, 0, stateful.format) ?? Response.json(body))
      : Response.json(body)
  }

  async #run(
    { call, turn, store, onEnd }: BackgroundTurn,
    run: RunningResponse,
    token: string,
  ): Promise<void> {
    const { stateful } = turn
    const renewal = setInterval(() => {
      void store.storage
        .renewLease(stateful.id, { token, durationMs: LEASE_MS })
        .then((lease) => {
          if (lease === undefined || lease.isReleaseRequested) run.stop()
        })
        .catch(() => {})
    }, RENEWAL_MS)
    const complete = async (answer: StreamedAnswer): Promise<StreamOutcome> => {
      for await (const event of turn.completeStream(answer)) run.push(toBytes(event))
      return answer.outcome
    }
    let outcome: StreamOutcome
    try {
      outcome = await complete(await streamAnswer({ ...call, signal: run.signal }))
    } catch (error) {
      outcome = await complete(streamFailure(call, toTypedError(error)))
    } finally {
      clearInterval(renewal)
      run.end()
      this.#runs.delete(stateful.id)
      this.#ended.add(stateful.id, run)
      await store.storage.releaseLease(stateful.id, token).catch(() => {})
    }
    // Last: from now on, the storage may be closed.
    await onEnd(outcome)
  }

  /** Returns the events of a response from a number on; undefined if this gateway has not generated it, or long ago. */
  createStream(id: string, first: number, { dialect }: ResponseFormat): Response | undefined {
    const run = this.#runs.get(id) ?? this.#ended.get(id)
    if (run === undefined) return undefined
    return new Response(toReadableStream(run.read(first)), {
      headers: { 'content-type': STREAM_TYPES[dialect], 'cache-control': 'no-store' },
    })
  }

  /** Stops a run, wherever it runs. */
  async stop({ storage }: ResponseStore, { id }: StoredResponse): Promise<void> {
    this.#runs.get(id)?.stop()
    this.#ended.delete(id)
    const lease = await storage.lease(id)
    if (lease !== undefined) await storage.requestLeaseRelease(id, lease.token)
  }

  /** Ends all runs of this gateway: their responses have failed. */
  close(): void {
    for (const run of this.#runs.values()) run.abort()
  }

  /** Returns a response as it is now: one that no process generates any more has failed. */
  async checkAlive(
    store: ResponseStore,
    stored: StoredResponse,
    format: ResponseFormat,
  ): Promise<StoredResponse> {
    if (!format.unfinishedStatuses.has(stored.body['status'])) return stored
    if (this.#runs.has(stored.id) || (await store.storage.lease(stored.id)) !== undefined) return stored
    const latest = (await store.find(format.dialect, stored.id)) ?? stored
    if (!format.unfinishedStatuses.has(latest.body['status'])) return latest
    const message = 'The gateway stopped before the answer was complete.'
    const failed = { ...latest, body: format.fail(latest.body, { code: 'server_error', message }) }
    await store.finish(failed, undefined)
    return failed
  }
}

function createUnfinishedBody({ dialect, request }: BackgroundTurn['call'], turn: StatefulTurn): JsonObject {
  const { model } = request
  const response = { ...(model !== undefined && { model }), createdAt: new Date().toISOString() }
  const { value } = dialect.encodeResponse({ ...response, id: turn.id, candidates: [] }, { request })
  return turn.complete({ ...(value as JsonObject), status: 'in_progress' }, turn.id)
}
