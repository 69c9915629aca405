import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import type { Reply } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import type { FramedEvent } from '../../dialects/engine/stream-encoder.ts'
import type { Route } from '../../dialects/server/routes.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { ChatAnswer, StreamedAnswer } from '../chat-answer.ts'
import {
  createInvalidRequestError,
  decodeClientRequest,
  type ReceivedRequest,
  type RequestBody,
} from '../read-request.ts'
import type { GatewayConfig } from '../config.ts'
import type { Sealer } from '../state/sealer.ts'
import { expandCompactions } from './compact-conversation.ts'
import { completeStream } from './complete-stream.ts'
import type { ConnectionMemory } from './connection-memory.ts'
import { resolveItemReferences } from './resolve-item-references.ts'
import { decodeNewInput } from './decode-new-input.ts'
import type { ResponseFacts } from './response-bodies.ts'
import { findResponseFormat, type ResponseFormat } from './response-format.ts'
import type { ResponseStore } from './response-store.ts'

/** What is needed to open a turn. */
export interface TurnContext {
  readonly dialect: Dialect
  readonly route: Pick<Route, 'model'>
  readonly path: string
  /** How requests are sanitized. */
  readonly sanitize: NonNullable<GatewayConfig['sanitize']>
  readonly body: RequestBody
  /** The name of the client. */
  readonly client: string
  readonly sealer: Sealer
  /** Absent if the gateway has no storage. */
  readonly store?: ResponseStore
  /** The connection of a WebSocket. */
  readonly connection?: ConnectionMemory
  /** Called if a response could not be stored. */
  readonly onError: (error: unknown) => void
}

/** One request of a client and its answer, with the conversation that the request continues. */
export interface Turn extends ReceivedRequest {
  /** The request with the whole conversation, for the model. */
  readonly input: ChatRequest
  /** Returns the id that the client gets for a response. */
  readonly toResponseId: (received: string | undefined) => string | undefined
  /** Returns the body for the client; stores the response if the request asks for it. */
  completeAnswer(answer: Pick<ChatAnswer, 'body' | 'reply'>): Promise<unknown>
  /** Returns the events for the client; the response is stored before its last event is sent. */
  completeStream(answer: StreamedAnswer): AsyncIterable<FramedEvent>
  /** The state of the turn, if the dialect stores responses. */
  readonly stateful?: StatefulTurn
}

/** Reads the request of a client; finds the conversation that it continues, or throws as a provider does. */
export async function openTurn(context: TurnContext): Promise<Turn> {
  const format = findResponseFormat(context.dialect.name)
  if (format !== undefined) return openStatefulTurn(format, context)
  const received = decodeClientRequest(context.dialect, context.route, context.body, context)
  return {
    ...received,
    input: received.request,
    toResponseId: (id) => id,
    completeAnswer: async ({ body }) => body,
    completeStream: ({ events }) => events,
  }
}

/** The conversation before a request. */
interface PreviousConversation {
  readonly id: string
  readonly messages: readonly Message[]
  readonly isStored: boolean
}

async function openStatefulTurn(format: ResponseFormat, context: TurnContext): Promise<Turn> {
  const { previousField } = format
  const { store, background, generate, conversation, [previousField]: previousId, ...rest } = context.body
  if (conversation !== undefined && conversation !== null)
    throw createInvalidRequestError(
      `The gateway has no conversations; continue a response by \`${previousField}\`.`,
      'conversation',
    )
  if (previousId !== undefined && previousId !== null && typeof previousId !== 'string')
    throw createInvalidRequestError(`\`${previousField}\` must be a text.`, previousField)
  const body = await resolveItemReferences(rest, format, context.store)
  const previous =
    previousId !== undefined && previousId !== null && previousId !== ''
      ? await findConversation(format, previousId, context)
      : undefined
  const isStored = context.store !== undefined && store !== false
  if (background === true && !isStored)
    throw createInvalidRequestError(
      'A background response needs a gateway with a storage, and `store`.',
      'background',
    )
  const decoded = decodeNewInput({ ...context, format, body }, previous?.messages)
  const newMessages = await expandCompactions(decoded.messages, context.client, context.sealer)
  const stateful = new StatefulTurn(format, context, {
    previous,
    newMessages,
    isStored,
    isBackground: background === true,
    skipsModel: generate === false && context.connection !== undefined,
  })
  const { received, instructions } = decoded
  return {
    ...received,
    input: {
      ...received.request,
      messages: [...instructions, ...(previous?.messages ?? []), ...newMessages],
    },
    toResponseId: (id) => stateful.toResponseId(id),
    completeAnswer: (answer) => stateful.completeAnswer(answer),
    completeStream: (answer) => completeStream(answer, stateful),
    stateful,
  }
}

/** Returns the conversation up to a response: of this connection, or stored. */
async function findConversation(
  format: ResponseFormat,
  id: string,
  { connection, store }: TurnContext,
): Promise<PreviousConversation> {
  const remembered = connection?.get(id)
  const stored = await store?.find(format.dialect, id)
  if (stored !== undefined && format.unfinishedStatuses.has(stored.body['status']))
    throw createInvalidRequestError(`The ${format.noun} '${id}' is not finished.`, format.previousField)
  if (remembered !== undefined) return { id, messages: remembered, isStored: stored !== undefined }
  if (store === undefined || stored === undefined) throw format.createMissingError(id)
  return { id, messages: await store.readMessages(id), isStored: true }
}

/** The facts of a turn. */
interface TurnFacts {
  readonly previous: PreviousConversation | undefined
  readonly newMessages: readonly Message[]
  readonly isStored: boolean
  readonly isBackground: boolean
  /** True if the client only prepares a later turn: the model is not called. */
  readonly skipsModel: boolean
}

/** A turn in a dialect that stores responses. */
export class StatefulTurn {
  readonly format: ResponseFormat
  /** The id that the response gets if it is stored, or if its provider sends none. */
  readonly id: string
  readonly skipsModel: boolean
  readonly #facts: TurnFacts
  readonly #context: TurnContext
  #isStored: boolean

  constructor(format: ResponseFormat, context: TurnContext, facts: TurnFacts) {
    this.format = format
    this.id = createId(format.idPrefix)
    this.skipsModel = facts.skipsModel
    this.#facts = facts
    this.#context = context
    this.#isStored = facts.isStored
  }

  get isBackground(): boolean {
    return this.#facts.isBackground
  }

  toResponseId(received: string | undefined): string | undefined {
    if (this.#isStored) return this.id
    if (!this.format.hasIdWithoutStore) return undefined
    return received === undefined || received === '' ? this.id : received
  }

  /** Adds to a body what the client may rely on. */
  complete(body: JsonObject, id?: string): JsonObject {
    const { previous, isBackground } = this.#facts
    const facts: ResponseFacts = {
      isStored: this.#isStored,
      isBackground,
      ...(id !== undefined && { id }),
      ...(previous && { previousId: previous.id }),
    }
    return this.format.complete(body, facts)
  }

  async completeAnswer({ body, reply }: Pick<ChatAnswer, 'body' | 'reply'>): Promise<JsonObject> {
    return this.save(this.complete(body as JsonObject), reply)
  }

  /** Stores nothing from now on: the response was cancelled or deleted. */
  cancel(): void {
    this.#isStored = false
  }

  /** Stores a background response before it has an answer. */
  async saveUnfinished(body: JsonObject): Promise<void> {
    await this.#add(body, undefined)
  }

  /** Stores the response, and returns its body. An answer that cannot be stored is still one. */
  async save(sent: JsonObject, reply: Reply | undefined): Promise<JsonObject> {
    const { connection, onError } = this.#context
    const { previous, newMessages, isBackground } = this.#facts
    const body = this.#withOutput(sent, reply)
    const { id } = body
    const output = reply?.message
    // A connection does not remember a response that failed.
    const isAnswered = output !== undefined || this.skipsModel
    if (connection !== undefined && isAnswered && typeof id === 'string')
      connection.set(id, [...(previous?.messages ?? []), ...newMessages, ...(output ? [output] : [])])
    if (!this.#isStored) return body
    try {
      if (isBackground) await this.#finish(body, output)
      else await this.#add(body, output)
      return body
    } catch (error) {
      onError(error)
      this.#isStored = false
      return this.complete(body)
    }
  }

  /** Adds the items of the answer: the last event of some streams has the body without them. */
  #withOutput(body: JsonObject, reply: Reply | undefined): JsonObject {
    const { outputField } = this.format
    if (reply === undefined || Object.hasOwn(body, outputField)) return body
    const encoded = this.#context.dialect.encodeResponse(reply.response).value as JsonObject
    return { ...body, [outputField]: encoded[outputField] ?? [] }
  }

  /** Completes a background response, unless another instance has cancelled or deleted it in the meantime. */
  async #finish(body: JsonObject, output: AssistantMessage | undefined): Promise<void> {
    const { store } = this.#context
    const stored = await store?.find(this.format.dialect, this.id)
    if (stored === undefined || stored.body['status'] === 'cancelled') return
    await store?.finish({ ...stored, body }, output)
  }

  async #add(body: JsonObject, output: AssistantMessage | undefined): Promise<void> {
    const { previous, newMessages, isBackground } = this.#facts
    const isFork = previous?.isStored === true
    await this.#context.store?.add({
      id: this.id,
      dialect: this.format.dialect,
      ...(isFork && { previousId: previous.id }),
      input: isFork ? newMessages : [...(previous?.messages ?? []), ...newMessages],
      ...(output && { output }),
      isBackground,
      body,
    })
  }
}
