import type { Dialect } from '../../dialects/engine/dialect.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import type { GatewayConfig } from '../config.ts'
import type { Sealer } from '../state/sealer.ts'
import { PruneSchedule } from '../prune-schedule.ts'
import type { BackgroundResponses } from './background-responses.ts'
import type { ConnectionMemory } from './connection-memory.ts'
import {
  cancelResponse,
  deleteResponse,
  getResponse,
  listInputItems,
  type ResponseCall,
} from './response-endpoints.ts'
import type { ResponseAction, ResponseRoute } from './response-routes.ts'
import { ResponseStore } from './response-store.ts'
import { openTurn, type Turn, type TurnContext } from './stateful-turn.ts'

/** What the responses of a gateway need. */
interface ServiceContext {
  readonly storage?: ConversationStorage
  /** The time after which a stored response is deleted; absent if it is kept. */
  readonly responseRetentionMs?: number
  readonly sealer: Sealer
  readonly runs: BackgroundResponses
  /** How requests are sanitized. */
  readonly sanitize: NonNullable<GatewayConfig['sanitize']>
  /** Called if a response could not be stored. */
  readonly onError: (error: unknown) => void
}

/** The actions about one stored response. */
type StoredAction = Exclude<ResponseAction, 'compact' | 'connect'>

/** A request about a stored response. */
interface StoredRequest {
  readonly route: ResponseRoute & { readonly action: StoredAction }
  readonly dialect: Dialect
  readonly url: URL
  /** The name of the client. */
  readonly client: string
}

/** The endpoints about one stored response. */
const ENDPOINTS: { readonly [action in StoredAction]: (call: ResponseCall) => Promise<Response> } = {
  get: getResponse,
  delete: deleteResponse,
  cancel: cancelResponse,
  'input-items': listInputItems,
}

/** Opens the turns of clients, and answers requests about their stored responses. */
export class ResponseService {
  readonly #context: ServiceContext
  readonly #schedule = new PruneSchedule()

  constructor(context: ServiceContext) {
    this.#context = context
  }

  get runs(): BackgroundResponses {
    return this.#context.runs
  }

  /** Returns the responses of a client; undefined if the gateway has no storage. */
  getStore(client: string): ResponseStore | undefined {
    const { storage, responseRetentionMs } = this.#context
    if (storage === undefined) return undefined
    return new ResponseStore(storage, client, {
      ...(responseRetentionMs !== undefined && { retentionMs: responseRetentionMs }),
      schedule: this.#schedule,
    })
  }

  /** Reads a request, and the conversation that it continues. */
  openTurn(
    request: Pick<TurnContext, 'dialect' | 'route' | 'path' | 'body' | 'client'>,
    connection: ConnectionMemory | undefined,
  ): Promise<Turn> {
    const { sealer, sanitize, onError } = this.#context
    const store = this.getStore(request.client)
    return openTurn({
      ...request,
      sealer,
      sanitize,
      onError,
      ...(store && { store }),
      ...(connection && { connection }),
    })
  }

  /** Answers a request about a stored response. */
  answer({ route, dialect, url, client }: StoredRequest): Promise<Response> {
    const store = this.getStore(client)
    return ENDPOINTS[route.action]({ route, dialect, query: url.searchParams, store, runs: this.runs })
  }
}
