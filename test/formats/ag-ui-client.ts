import { EventSchemas } from '@ag-ui/core/schemas'
import type { AgUiContentPart, AgUiEvent } from 'interlingua/formats/ag-ui'

/** The keys of each event type in the protocol: clients remove all others. */
const keys = new Map(
  EventSchemas.options.map(({ shape }) => [String(shape.type.value), new Set(Object.keys(shape))]),
)

/** One message as a client stores it. */
export interface ClientMessage {
  readonly id: string
  readonly role: 'assistant' | 'reasoning' | 'tool'
  content?: string | AgUiContentPart[]
  toolCalls?: { id: string; name: string; arguments: string; ended: boolean; encrypted?: string }[]
  toolCallId?: string
  encrypted?: string
  metadata?: { [key: string]: unknown }
}

/** Applies events like a client, and fails on events that the protocol forbids. */
export class Client {
  readonly messages: ClientMessage[] = []
  readonly custom: { name: string; value: unknown }[] = []
  readonly raw: unknown[] = []
  readonly steps: string[] = []
  outcome: AgUiEvent | undefined
  readonly #open = {
    text: new Set<string>(),
    reasoning: new Set<string>(),
    span: new Set<string>(),
    step: new Set<string>(),
  }
  #started = false

  apply(event: AgUiEvent): void {
    const { success, error } = EventSchemas.safeParse(event)
    if (!success) throw new Error(`${event.type}: ${error.message}`)
    const extra = Object.keys(event).filter((key) => !keys.get(event.type)?.has(key))
    if (extra.length > 0) throw new Error(`${event.type} has no ${extra.join()}`)
    if (this.outcome !== undefined) throw new Error(`${event.type} after the end`)
    if (this.#started === (event.type === 'RUN_STARTED'))
      throw new Error(`${event.type} at the wrong end of a run`)
    this.#started = true
    this.#take(event)
  }

  #take(event: AgUiEvent): void {
    switch (event.type) {
      case 'RUN_STARTED':
        return
      case 'RUN_FINISHED': {
        const open = Object.values(this.#open).flatMap((set) => [...set])
        const calls = this.calls.filter(({ ended }) => !ended)
        if (open.length + calls.length > 0)
          throw new Error(`still open: ${[...open, ...calls.map(({ id }) => id)].join()}`)
        this.outcome = event
        return
      }
      case 'RUN_ERROR':
        this.outcome = event
        return
      case 'STEP_STARTED':
        this.steps.push(event.stepName)
        return begin(this.#open.step, event.stepName)
      case 'STEP_FINISHED':
        return end(this.#open.step, event.stepName)
      case 'TEXT_MESSAGE_START':
        this.#mint({ id: event.messageId, role: 'assistant', content: '' })
        return begin(this.#open.text, event.messageId)
      case 'TEXT_MESSAGE_CONTENT':
        return this.#grow(this.#open.text, event.messageId, event.delta)
      case 'TEXT_MESSAGE_END':
        this.#mark(event.messageId, event.metadata)
        return end(this.#open.text, event.messageId)
      case 'REASONING_START':
        return begin(this.#open.span, event.messageId)
      case 'REASONING_END':
        return end(this.#open.span, event.messageId)
      case 'REASONING_MESSAGE_START':
        if (this.#open.span.size === 0) throw new Error('thoughts outside of a span')
        this.#mint({ id: event.messageId, role: 'reasoning', content: '' })
        return begin(this.#open.reasoning, event.messageId)
      case 'REASONING_MESSAGE_CONTENT':
        return this.#grow(this.#open.reasoning, event.messageId, event.delta)
      case 'REASONING_MESSAGE_END':
        this.#mark(event.messageId, event.metadata)
        return end(this.#open.reasoning, event.messageId)
      case 'REASONING_ENCRYPTED_VALUE': {
        const call = this.calls.find(({ id }) => id === event.entityId)
        const message = this.messages.find(({ id }) => id === event.entityId)
        const entity = event.subtype === 'tool-call' ? call : message
        if (entity === undefined) throw new Error(`nothing is called ${event.entityId}`)
        entity.encrypted = event.encryptedValue
        return
      }
      case 'TOOL_CALL_START': {
        if (this.calls.some(({ id }) => id === event.toolCallId)) throw new Error(`${event.toolCallId} again`)
        const parent = event.parentMessageId ?? event.toolCallId
        const owner =
          this.messages.find(({ id }) => id === parent) ?? this.#mint({ id: parent, role: 'assistant' })
        if (owner.role !== 'assistant') throw new Error('a call belongs to an answer')
        owner.toolCalls = [
          ...(owner.toolCalls ?? []),
          { id: event.toolCallId, name: event.toolCallName, arguments: '', ended: false },
        ]
        return
      }
      case 'TOOL_CALL_ARGS':
        this.#openCall(event.toolCallId).arguments += event.delta
        return
      case 'TOOL_CALL_END':
        this.#openCall(event.toolCallId).ended = true
        return
      case 'TOOL_CALL_RESULT': {
        const { messageId: id, toolCallId, content, metadata } = event
        if (this.calls.some((call) => call.id === toolCallId && !call.ended))
          throw new Error('a result before its call')
        this.#mint({ id, role: 'tool', toolCallId, content, ...(metadata && { metadata }) })
        return
      }
      case 'CUSTOM':
        this.custom.push(event)
        return
      case 'RAW':
        this.raw.push(event.event)
    }
  }

  get calls(): NonNullable<ClientMessage['toolCalls']> {
    return this.messages.flatMap(({ toolCalls }) => toolCalls ?? [])
  }

  #openCall(id: string): NonNullable<ClientMessage['toolCalls']>[number] {
    const call = this.calls.find((each) => each.id === id && !each.ended)
    if (call === undefined) throw new Error(`no open call ${id}`)
    return call
  }

  #mint(message: ClientMessage): ClientMessage {
    if (this.messages.some(({ id }) => id === message.id)) throw new Error(`two messages ${message.id}`)
    this.messages.push(message)
    return message
  }

  #mark(id: string, metadata: ClientMessage['metadata']): void {
    const message = this.messages.find((each) => each.id === id)
    if (message !== undefined && metadata !== undefined) message.metadata = metadata
  }

  #grow(open: ReadonlySet<string>, id: string, delta: string): void {
    const message = this.messages.find((each) => each.id === id)
    if (!open.has(id) || message === undefined || delta === '') throw new Error(`cannot grow ${id}`)
    message.content = `${typeof message.content === 'string' ? message.content : ''}${delta}`
  }
}

function begin(open: Set<string>, id: string): void {
  if (open.has(id)) throw new Error(`${id} is open already`)
  open.add(id)
}

function end(open: Set<string>, id: string): void {
  if (!open.delete(id)) throw new Error(`${id} is not open`)
}
