import type { LanguageModelV3Content, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { StreamFailure, StreamTransform } from '../../wire/pull-stages.ts'
import { throwFailure } from '../../wire/iterable-source.ts'
import { omitUndefined } from '../../wire/json.ts'
import { readContent, readFinish, readSource, readUsage, readWarnings } from './read-content.ts'

/** A part whose end has not arrived. */
interface OpenPart {
  readonly index: number
  /** The pieces of its text, for the part that the end completes. */
  readonly pieces: string[]
}

type PartOf<Type extends LanguageModelV3StreamPart['type']> = Extract<
  LanguageModelV3StreamPart,
  { type: Type }
>

/** Converts the stream parts of a language model of the AI SDK to events. */
export class SdkStreamPartReader implements StreamTransform<LanguageModelV3StreamPart, ChatEvent> {
  readonly #openParts = new Map<string, OpenPart>()
  readonly #model: string
  #hasStarted = false
  #nextIndex = 0
  /** The index of the last text, which sources belong to. */
  #textIndex: number | undefined

  constructor(model: string) {
    this.#model = model
  }

  read(part: LanguageModelV3StreamPart): readonly ChatEvent[] {
    if (part.type === 'stream-start')
      return readWarnings(part.warnings).map((loss) => ({ type: 'loss', loss }))
    if (part.type === 'error') throw part.error
    if (part.type === 'raw') return []
    if (part.type === 'response-metadata') return this.#start(part)
    return [...this.#start(), ...this.#readContentPart(part)]
  }

  end(failure: StreamFailure | undefined): readonly ChatEvent[] {
    return throwFailure(failure)
  }

  #start(metadata?: PartOf<'response-metadata'>): readonly ChatEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    const { id, modelId: model = this.#model, timestamp } = metadata ?? {}
    const createdAt = timestamp?.toISOString()
    return [
      { type: 'start', ...omitUndefined({ id, model, createdAt }), origin: { dialect: 'ai-sdk', model } },
    ]
  }

  #readContentPart(
    part: Exclude<LanguageModelV3StreamPart, PartOf<'stream-start' | 'response-metadata' | 'error' | 'raw'>>,
  ): readonly ChatEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning'
        const index = this.#open(part.id)
        if (type === 'text') this.#textIndex = index
        return [{ type: 'part-start', index, part: { type, text: '' } }]
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const index = this.#append(part.id, part.delta)
        const type = part.type
        return index === undefined ? [] : [{ type, index, text: part.delta }]
      }
      case 'text-end':
      case 'reasoning-end':
        return this.#close(part)
      case 'tool-input-start': {
        const { id, toolName: name, providerExecuted } = part
        const executedBy = providerExecuted === true && ({ executedBy: 'provider' } as const)
        const call = { type: 'tool-call', id, name, arguments: {}, ...executedBy } as const
        return [{ type: 'part-start', index: this.#open(`call ${id}`), part: call }]
      }
      case 'tool-input-delta': {
        const index = this.#append(`call ${part.id}`, part.delta)
        return index === undefined ? [] : [{ type: 'arguments-delta', index, json: part.delta }]
      }
      case 'tool-input-end':
        return []
      case 'tool-call':
        return this.#readWhole(part, this.#openParts.get(`call ${part.toolCallId}`)?.index)
      case 'source':
        return this.#textIndex === undefined
          ? []
          : [{ type: 'part-update', index: this.#textIndex, citations: [readSource(part)] }]
      case 'file':
      case 'tool-result':
      case 'tool-approval-request':
        return this.#readWhole(part)
      case 'finish': {
        const usage = readUsage(part.usage)
        const finish: ChatEvent = { type: 'finish', finish: readFinish(part.finishReason) }
        return usage === undefined ? [finish] : [finish, { type: 'usage', usage }]
      }
    }
  }

  #open(key: string): number {
    const index = this.#nextIndex++
    this.#openParts.set(key, { index, pieces: [] })
    return index
  }

  /** Returns the index of the part; undefined for a delta without a start, which the SDK does not allow. */
  #append(key: string, delta: string): number | undefined {
    const open = this.#openParts.get(key)
    open?.pieces.push(delta)
    return open?.index
  }

  /** Ends a text. Its metadata may contain the signature of the complete text. */
  #close({ type, id, providerMetadata }: PartOf<'text-end' | 'reasoning-end'>): readonly ChatEvent[] {
    const open = this.#openParts.get(id)
    if (open === undefined) return []
    const text = open.pieces.join('')
    const kind = type === 'text-end' ? 'text' : 'reasoning'
    const part = readContent({ type: kind, text, ...(providerMetadata && { providerMetadata }) })
    const { signature } = part ?? {}
    const { index } = open
    if (part?.type === kind && signature === undefined) return [{ type: 'part-end', index }]
    return [{ type: 'part-end', index, ...(part && { part, replaces: true }) }]
  }

  /** Reads content that is complete, at the index of the part that it completes or as a new part. */
  #readWhole(
    content: Exclude<LanguageModelV3Content, { readonly type: 'source' }>,
    index = this.#nextIndex++,
  ): readonly ChatEvent[] {
    const part = readContent(content)
    if (part === undefined) return []
    const isOpen = content.type === 'tool-call' && this.#openParts.has(`call ${content.toolCallId}`)
    const end: ChatEvent = { type: 'part-end', index, part, replaces: true }
    return isOpen
      ? [end]
      : [
          { type: 'part-start', index, part },
          { type: 'part-end', index },
        ]
  }
}
