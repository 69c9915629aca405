import type { FinishEvent, OpaqueEvent, StartEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { LossRule } from '../../canonical/model/loss.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { isAbort, neutralText } from '../shared/failures.ts'
import type { Narrator, Result, Step } from '../shared/narrator.ts'
import type { LossReport } from '../shared/report.ts'
import { outputOf, outputText } from '../shared/results.ts'
import type { Unit } from '../shared/unit.ts'
import type { UIMessageChunk } from './chunks.ts'
import { finishReasons, type MetadataEvent, metadataOf } from './metadata.ts'
import type { UIMessageStreamOptions } from './options.ts'
import { fileChunks, sourceChunks } from './parts.ts'
import { withoutForbiddenKeys } from './safe.ts'

type Chunks = readonly UIMessageChunk[]

/** The chunks that stream a part as text; undefined for a part that is no text. */
const streamed: { readonly [type in AssistantPart['type']]: 'text' | 'reasoning' | undefined } = {
  text: 'text',
  refusal: 'text',
  reasoning: 'reasoning',
  image: undefined,
  audio: undefined,
  video: undefined,
  file: undefined,
  'tool-call': undefined,
  'tool-result': undefined,
  opaque: undefined,
}

/** What the UI message stream says at each moment. */
export class UIMessageNarrator implements Narrator<UIMessageChunk> {
  readonly #options: UIMessageStreamOptions
  readonly #report: LossReport
  #finish: Finish | undefined

  constructor(options: UIMessageStreamOptions, report: LossReport) {
    this.#options = options
    this.#report = report
  }

  begin(start: StartEvent | undefined): Chunks {
    const messageId = this.#options.messageId ?? start?.message?.id ?? start?.id ?? ''
    const metadata = start === undefined ? undefined : this.#options.messageMetadata?.(start)
    return [
      {
        type: 'start',
        ...(messageId !== '' && { messageId }),
        ...(metadata !== undefined && { messageMetadata: metadata }),
      },
    ]
  }

  beginStep({ number, at, start }: Step): Chunks {
    this.#finish = undefined
    this.#withheld(start, at, ['model', 'createdAt'])
    const message = below(below(at, 'candidates'), 0)
    this.#withheld(start?.message, message, ['name', 'createdAt', 'parentId', 'usage'])
    const later = start === undefined || number === 0 ? [] : this.#metadata(start)
    return [{ type: 'start-step' }, ...later]
  }

  open(unit: Unit): Chunks {
    const { id, part, at, callId } = unit
    if (part.type === 'tool-call')
      return [{ type: 'tool-input-start', toolCallId: callId, ...this.#tool(part) }]
    if (part.type === 'refusal') this.#report.lose('refusal-as-text', at)
    const kind = streamed[part.type]
    if (kind === undefined) return []
    const said = 'text' in part && part.text !== '' ? this.grow(unit, part.text) : []
    return [{ type: `${kind}-start`, id }, ...said]
  }

  grow({ id, part, callId }: Unit, delta: string): Chunks {
    const kind = streamed[part.type]
    if (kind !== undefined) return [{ type: `${kind}-delta`, id, delta }]
    if (part.type !== 'tool-call') return []
    return [{ type: 'tool-input-delta', toolCallId: callId, inputTextDelta: delta }]
  }

  close(unit: Unit, whole: AssistantPart, cut: boolean): Chunks {
    const { id, at } = unit
    switch (whole.type) {
      case 'text':
        return [...this.#closeText(unit, whole), ...sourceChunks(whole, id, at, this.#report)]
      case 'refusal':
      case 'reasoning':
        return this.#closeText(unit, whole)
      case 'tool-call':
        // A call that was cut is never offered to be run: it stays as far as it came.
        return cut ? [] : [this.#input(unit, whole)]
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return cut ? [] : fileChunks(whole, at, this.#report)
      case 'opaque': {
        const { dialect, value } = whole
        return this.#opaque(id, { dialect, value }, 'foreign-opaque', at)
      }
      case 'tool-result':
        return []
    }
  }

  amend({ id, at }: Unit, before: AssistantPart, after: AssistantPart): Chunks {
    if (before.signature?.value !== after.signature?.value) this.#report.lose('late-signature', at)
    if (before.type !== 'text' || after.type !== 'text') return []
    return sourceChunks(after, id, at, this.#report, before.citations?.length)
  }

  #closeText(unit: Unit, whole: AssistantPart): Chunks {
    const rest = unit.unsaid(whole)
    if (rest === undefined) this.#report.lose('restated', unit.at)
    const said = rest === undefined || rest === '' ? [] : this.grow(unit, rest)
    const kind = streamed[whole.type] ?? 'text'
    return [...said, { type: `${kind}-end`, id: unit.id, ...metadataOf(whole, unit.at, this.#report) }]
  }

  #input({ at, callId }: Unit, whole: AssistantPart & { type: 'tool-call' }): UIMessageChunk {
    const call = { toolCallId: callId, ...this.#tool(whole), ...metadataOf(whole, at, this.#report) }
    if (whole.invalidArguments !== undefined) {
      const errorText = 'The arguments of the call are not a JSON object.'
      return { type: 'tool-input-error', ...call, input: whole.invalidArguments, errorText }
    }
    const input = this.#safe(whole.arguments ?? {}, below(at, 'arguments'))
    return { type: 'tool-input-available', ...call, input }
  }

  #tool({ name, executedBy }: { readonly name: string; readonly executedBy?: 'provider' }): {
    readonly toolName: string
    readonly providerExecuted?: boolean
    readonly dynamic?: boolean
  } {
    return {
      toolName: name,
      ...(executedBy === 'provider' && { providerExecuted: true }),
      ...(this.#options.isDynamicTool?.(name) === true && { dynamic: true }),
    }
  }

  result({ part, at, callId, provided }: Result): Chunks {
    if (callId === undefined) {
      this.#report.lose('result-without-call', at)
      return []
    }
    const answered = { toolCallId: callId, ...(provided && { providerExecuted: true }) }
    const output = outputOf(part, at, this.#report)
    if (part.isError !== true) {
      return [
        { type: 'tool-output-available', ...answered, output: this.#safe(output, below(at, 'content')) },
      ]
    }
    const { toolErrorText } = this.#options
    if (typeof output !== 'string' && toolErrorText === undefined) this.#report.lose('error-as-text', at)
    return [
      { type: 'tool-output-error', ...answered, errorText: toolErrorText?.(part) ?? outputText(output) },
    ]
  }

  usage(event: UsageEvent, { at }: Step): Chunks {
    this.#withheld(event, at, ['usage'])
    return this.#metadata(event)
  }

  finish(event: FinishEvent, { at }: Step): Chunks {
    const { finish } = event
    const path = below(below(below(at, 'candidates'), 0), 'finish')
    this.#finish = finish
    if (finish.reason !== 'aborted' && finishReasons[finish.reason] !== finish.reason)
      this.#report.lose('finish-approximated', path)
    this.#withheld(finish, path, ['raw', 'stopSequence'])
    return this.#metadata(event)
  }

  opaque({ dialect, value }: OpaqueEvent, { at }: Step): Chunks {
    return this.#opaque(undefined, { dialect, value }, 'opaque-event', at)
  }

  endStep(): Chunks {
    return [{ type: 'finish-step' }]
  }

  end(): Chunks {
    if (this.#finish?.reason === 'aborted') return [{ type: 'abort' }]
    return [
      {
        type: 'finish',
        ...(this.#finish !== undefined && { finishReason: finishReasons[this.#finish.reason] }),
      },
    ]
  }

  fail(error: unknown): Chunks {
    if (isAbort(error)) return [{ type: 'abort' }]
    return [{ type: 'error', errorText: (this.#options.errorText ?? neutralText)(error) }]
  }

  /** What goes out only as metadata: reported when nobody makes any. */
  #withheld<T extends object>(value: T | undefined, at: Path, keys: readonly (keyof T & string)[]): void {
    if (this.#options.messageMetadata !== undefined || value === undefined) return
    for (const key of keys)
      if (value[key] !== undefined) this.#report.lose('message-metadata', below(at, key))
  }

  #metadata(event: MetadataEvent): Chunks {
    const messageMetadata = this.#options.messageMetadata?.(event)
    return messageMetadata === undefined ? [] : [{ type: 'message-metadata', messageMetadata }]
  }

  /** What is not known here; an event passes by, a block stays in the message. */
  #opaque(id: string | undefined, data: { dialect: string; value: Json }, rule: LossRule, at: Path): Chunks {
    if (this.#options.opaque === 'data') {
      const kept = id === undefined ? { transient: true } : { id }
      return [{ type: 'data-opaque', ...kept, data: this.#safe(data, at) }]
    }
    this.#report.lose(rule, at)
    return []
  }

  #safe(value: Json, at: Path): Json {
    const safe = withoutForbiddenKeys(value)
    if (safe !== value) this.#report.lose('forbidden-key', at)
    return safe
  }
}
