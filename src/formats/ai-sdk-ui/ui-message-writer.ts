import type { FinishEvent, OpaqueEvent, StartEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, OpaquePart, ToolCallPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, omitUndefined, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  isAbortError,
  toPublicErrorText,
  type ProtocolWriter,
  type UiStep,
  type UiToolResult,
} from '../shared/protocol-writer.ts'
import type { LossReporter } from '../shared/loss-reporter.ts'
import { toPlainOutput, stringifyOutput } from '../shared/to-plain-output.ts'
import type { PartInProgress } from '../shared/part-in-progress.ts'
import { uiFinishReasons, type MetadataEvent, buildProviderMetadata } from './build-message-metadata.ts'
import type { UIMessageStreamOptions } from './options.ts'
import { toFileChunks, toSourceChunks } from './part-chunks.ts'
import type { ToolInputFields, UIMessageChunk } from './ui-message-chunk.ts'

type Chunks = readonly UIMessageChunk[]

/** Writes a run as chunks of a UI message stream. */
export class UIMessageWriter implements ProtocolWriter<UIMessageChunk> {
  readonly #options: UIMessageStreamOptions
  readonly #report: LossReporter
  #finish: Finish | undefined

  constructor(options: UIMessageStreamOptions, report: LossReporter) {
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
    if (part.type === 'tool-call') return [{ type: 'tool-input-start', ...this.#toToolFields(callId, part) }]
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
    if ('source' in finalPart) return isTruncated ? [] : toFileChunks(finalPart, path, this.#report)
    switch (finalPart.type) {
      case 'text':
        return [...this.#closeText(progress, finalPart), ...toSourceChunks(finalPart, id, path, this.#report)]
      case 'refusal':
      case 'reasoning':
        return this.#closeText(progress, finalPart)
      case 'tool-call':
        // A truncated tool call stays incomplete, so that the client never runs it.
        return isTruncated ? [] : [this.#toToolInputChunk(progress, finalPart)]
      case 'opaque':
        return this.#toOpaqueChunks(finalPart, path, id)
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

  #toToolInputChunk({ path, callId }: PartInProgress, part: ToolCallPart): UIMessageChunk {
    const call = { ...this.#toToolFields(callId, part), ...buildProviderMetadata(part, path, this.#report) }
    if (part.invalidArguments !== undefined) {
      const errorText = 'The arguments of the tool call are not a JSON object.'
      return { type: 'tool-input-error', ...call, input: part.invalidArguments, errorText }
    }
    const input = this.#removeForbiddenKeys(part.arguments ?? {}, child(path, 'arguments'))
    return { type: 'tool-input-available', ...call, input }
  }

  #toToolFields(toolCallId: string, { name, executedBy }: ToolCallPart): ToolInputFields {
    return {
      toolCallId,
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
    if (part.isError === true && this.#options.deniedCalls?.has(part.callId) === true)
      return [{ type: 'tool-output-denied', toolCallId: callId }]
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

  /** Progress is a result that the next one replaces. */
  writeProgress(toolCallId: string, progress: Json): Chunks {
    const output = this.#removeForbiddenKeys(progress, undefined)
    return [{ type: 'tool-output-available', toolCallId, output, preliminary: true }]
  }

  writeApprovalRequest(toolCallId: string, approvalId: string): Chunks {
    return [{ type: 'tool-approval-request', approvalId, toolCallId }]
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

  writeOpaque(event: OpaqueEvent, { path }: UiStep): Chunks {
    return this.#toOpaqueChunks(event, path)
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
  #toOpaqueChunks({ dialect, value }: OpaqueEvent | OpaquePart, path: Path, id?: string): Chunks {
    if (this.#options.opaque === 'data') {
      const idFields = id === undefined ? { transient: true } : { id }
      return [{ type: 'data-opaque', ...idFields, data: this.#removeForbiddenKeys({ dialect, value }, path) }]
    }
    this.#report.add(id === undefined ? 'opaque-event' : 'foreign-opaque', path)
    return []
  }

  #removeForbiddenKeys(value: Json, path: Path | undefined): Json {
    const safe = removeForbiddenKeys(value)
    if (safe !== value && path !== undefined) this.#report.add('forbidden-key', path)
    return safe
  }
}

/** Returns the kind of chunks that stream a text, a refusal or reasoning. */
function textKind({ type }: AssistantPart): 'text' | 'reasoning' {
  return type === 'reasoning' ? 'reasoning' : 'text'
}

/**
 * Removes the keys at which the SDK's reader stops reading: `__proto__`, and a `constructor` with a
 * `prototype`. Returns the same value if it contains none.
 */
function removeForbiddenKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) {
    const items = value.map(removeForbiddenKeys)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const copy = {}
  let changed = false
  for (const [key, item] of Object.entries(value)) {
    const kept = isForbidden(key, item) ? undefined : removeForbiddenKeys(item)
    if (kept !== item) changed = true
    if (kept !== undefined) setKey(copy, key, kept)
  }
  return changed ? copy : value
}

function isForbidden(key: string, value: Json): boolean {
  return (
    key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'))
  )
}
