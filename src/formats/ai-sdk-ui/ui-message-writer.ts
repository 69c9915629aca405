import type { FinishEvent, OpaqueEvent, StartEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { LossRule } from '../../canonical/model/loss.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { type Json, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  isAbortError,
  toPublicErrorText,
  type ProtocolWriter,
  type UiStep,
  type UiToolResult,
} from '../shared/protocol-writer.ts'
import type { LossReport } from '../shared/loss-report.ts'
import { toPlainOutput, stringifyOutput } from '../shared/plain-output.ts'
import type { PartInProgress } from '../shared/part-in-progress.ts'
import type { UIMessageChunk } from './ui-message-chunk.ts'
import { uiFinishReasons, type MetadataEvent, buildProviderMetadata } from './metadata.ts'
import type { UIMessageStreamOptions } from './options.ts'
import { toFileChunks, toSourceChunks } from './part-chunks.ts'
import { removeForbiddenKeys } from './forbidden-keys.ts'

type Chunks = readonly UIMessageChunk[]

/** Writes a run as chunks of a UI message stream. */
export class UIMessageWriter implements ProtocolWriter<UIMessageChunk> {
  readonly #options: UIMessageStreamOptions
  readonly #report: LossReport
  #finish: Finish | undefined

  constructor(options: UIMessageStreamOptions, report: LossReport) {
    this.#options = options
    this.#report = report
  }

  beginRun(start: StartEvent | undefined): Chunks {
    const messageId = this.#options.messageId ?? start?.message?.id ?? start?.id ?? ''
    const messageMetadata = start && this.#options.messageMetadata?.(start)
    return [{ type: 'start', ...(messageId !== '' && { messageId }), ...omitUndefined({ messageMetadata }) }]
  }

  beginStep({ number, path, start }: UiStep): Chunks {
    this.#finish = undefined
    this.#reportMissingMetadata(start, path, ['model', 'createdAt'])
    const message = child(child(path, 'candidates'), 0)
    this.#reportMissingMetadata(start?.message, message, ['name', 'createdAt', 'parentId', 'usage'])
    const metadataChunks = start === undefined || number === 0 ? [] : this.#toMetadataChunks(start)
    return [{ type: 'start-step' }, ...metadataChunks]
  }

  openPart(progress: PartInProgress): Chunks {
    const { id, part, path, callId } = progress
    if (part.type === 'tool-call')
      return [{ type: 'tool-input-start', toolCallId: callId, ...this.#toToolFields(part) }]
    if (!('text' in part)) return []
    if (part.type === 'refusal') this.#report.add('refusal-as-text', path)
    const textChunks = part.text === '' ? [] : this.appendToPart(progress, part.text)
    return [{ type: `${textKind(part)}-start`, id }, ...textChunks]
  }

  appendToPart({ id, part, callId }: PartInProgress, delta: string): Chunks {
    if (part.type === 'tool-call')
      return [{ type: 'tool-input-delta', toolCallId: callId, inputTextDelta: delta }]
    return 'text' in part ? [{ type: `${textKind(part)}-delta`, id, delta }] : []
  }

  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): Chunks {
    const { id, path } = progress
    switch (finalPart.type) {
      case 'text':
        return [...this.#closeText(progress, finalPart), ...toSourceChunks(finalPart, id, path, this.#report)]
      case 'refusal':
      case 'reasoning':
        return this.#closeText(progress, finalPart)
      case 'tool-call':
        // A truncated tool call stays incomplete, so that the client never runs it.
        return isTruncated ? [] : [this.#toToolInputChunk(progress, finalPart)]
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return isTruncated ? [] : toFileChunks(finalPart, path, this.#report)
      case 'opaque': {
        const { dialect, value } = finalPart
        return this.#toOpaqueChunks(id, { dialect, value }, 'foreign-opaque', path)
      }
      case 'tool-result':
        return []
    }
  }

  amendPart({ id, path }: PartInProgress, before: AssistantPart, after: AssistantPart): Chunks {
    if (before.signature?.value !== after.signature?.value) this.#report.add('late-signature', path)
    if (before.type !== 'text' || after.type !== 'text') return []
    return toSourceChunks(after, id, path, this.#report, before.citations?.length)
  }

  #closeText(progress: PartInProgress, finalPart: AssistantPart): Chunks {
    const remaining = progress.remainingText(finalPart)
    if (remaining === undefined) this.#report.add('correction-omitted', progress.path)
    const textChunks = remaining ? this.appendToPart(progress, remaining) : []
    const metadata = buildProviderMetadata(finalPart, progress.path, this.#report)
    return [...textChunks, { type: `${textKind(finalPart)}-end`, id: progress.id, ...metadata }]
  }

  #toToolInputChunk({ path, callId }: PartInProgress, finalPart: ToolCallPart): UIMessageChunk {
    const call = {
      toolCallId: callId,
      ...this.#toToolFields(finalPart),
      ...buildProviderMetadata(finalPart, path, this.#report),
    }
    if (finalPart.invalidArguments !== undefined) {
      const errorText = 'The arguments of the tool call are not a JSON object.'
      return { type: 'tool-input-error', ...call, input: finalPart.invalidArguments, errorText }
    }
    const input = this.#removeForbiddenKeys(finalPart.arguments ?? {}, child(path, 'arguments'))
    return { type: 'tool-input-available', ...call, input }
  }

  #toToolFields({ name, executedBy }: ToolCallPart): {
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

  writeResult({ part, path, callId, isProviderExecuted }: UiToolResult): Chunks {
    if (callId === undefined) {
      this.#report.add('result-without-call', path)
      return []
    }
    const resultFields = { toolCallId: callId, ...(isProviderExecuted && { providerExecuted: true }) }
    const output = toPlainOutput(part, path, this.#report)
    if (part.isError !== true) {
      const safeOutput = this.#removeForbiddenKeys(output, child(path, 'content'))
      return [{ type: 'tool-output-available', ...resultFields, output: safeOutput }]
    }
    const { toolErrorText } = this.#options
    if (typeof output !== 'string' && toolErrorText === undefined) this.#report.add('error-as-text', path)
    const errorText = toolErrorText?.(part) ?? stringifyOutput(output)
    return [{ type: 'tool-output-error', ...resultFields, errorText }]
  }

  writeUsage(event: UsageEvent, { path }: UiStep): Chunks {
    this.#reportMissingMetadata(event, path, ['usage'])
    return this.#toMetadataChunks(event)
  }

  writeFinish(event: FinishEvent, step: UiStep): Chunks {
    const { finish } = event
    const path = child(child(child(step.path, 'candidates'), 0), 'finish')
    this.#finish = finish
    if (finish.reason !== 'aborted' && uiFinishReasons[finish.reason] !== finish.reason)
      this.#report.add('finish-approximated', path)
    this.#reportMissingMetadata(finish, path, ['raw', 'stopSequence'])
    return this.#toMetadataChunks(event)
  }

  writeOpaque({ dialect, value }: OpaqueEvent, { path }: UiStep): Chunks {
    return this.#toOpaqueChunks(undefined, { dialect, value }, 'opaque-event', path)
  }

  endStep(): Chunks {
    return [{ type: 'finish-step' }]
  }

  endRun(): Chunks {
    if (this.#finish?.reason === 'aborted') return [{ type: 'abort' }]
    return [{ type: 'finish', ...(this.#finish && { finishReason: uiFinishReasons[this.#finish.reason] }) }]
  }

  failRun(error: unknown): Chunks {
    if (isAbortError(error)) return [{ type: 'abort' }]
    return [{ type: 'error', errorText: (this.#options.errorText ?? toPublicErrorText)(error) }]
  }

  /** Reports fields that can only be sent as metadata, if no metadata is sent. */
  #reportMissingMetadata<T extends object>(
    value: T | undefined,
    path: Path,
    keys: readonly (keyof T & string)[],
  ): void {
    if (this.#options.messageMetadata !== undefined || value === undefined) return
    for (const key of keys)
      if (value[key] !== undefined) this.#report.add('message-metadata', child(path, key))
  }

  #toMetadataChunks(event: MetadataEvent): Chunks {
    const messageMetadata = this.#options.messageMetadata?.(event)
    return messageMetadata === undefined ? [] : [{ type: 'message-metadata', messageMetadata }]
  }

  /** Returns the chunks of an opaque event or part: an event is transient, a part stays in the message. */
  #toOpaqueChunks(
    id: string | undefined,
    data: { dialect: string; value: Json },
    rule: LossRule,
    path: Path,
  ): Chunks {
    if (this.#options.opaque === 'data') {
      const idFields = id === undefined ? { transient: true } : { id }
      return [{ type: 'data-opaque', ...idFields, data: this.#removeForbiddenKeys(data, path) }]
    }
    this.#report.add(rule, path)
    return []
  }

  #removeForbiddenKeys(value: Json, path: Path): Json {
    const safe = removeForbiddenKeys(value)
    if (safe !== value) this.#report.add('forbidden-key', path)
    return safe
  }
}

/** Returns the kind of chunks that stream a text, a refusal or reasoning. */
function textKind({ type }: AssistantPart): 'text' | 'reasoning' {
  return type === 'reasoning' ? 'reasoning' : 'text'
}
