import type { FinishEvent, OpaqueEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { child } from '../../wire/json-pointer.ts'
import { toPublicErrorCode, isAbortError, toPublicErrorText } from '../shared/public-error-text.ts'
import type { ProtocolWriter, UiToolResult, UiStep } from '../shared/protocol-writer.ts'
import type { LossReport } from '../shared/loss-report.ts'
import { toPlainCitation } from '../shared/plain-output.ts'
import type { PartInProgress } from '../shared/part-in-progress.ts'
import type { AgUiEvent, AgUiOutcome } from './events.ts'
import { buildPartMetadata, wrapInInterlinguaMetadata } from './build-metadata.ts'
import type { AgUiOptions } from './options.ts'
import { toDeltaEvents, toMediaEvent, toSignatureEvents } from './part-events.ts'
import { toResultContent } from './tool-result-content.ts'
import { RunUsage } from './run-usage.ts'

type AgUiEvents = readonly AgUiEvent[]

/** Writes a run as AG-UI events. */
export class AgUiWriter implements ProtocolWriter<AgUiEvent> {
  readonly #options: AgUiOptions
  readonly #report: LossReport
  readonly #usage = new RunUsage()
  /** Tool calls that wait for a result of the application. */
  readonly #pendingCallIds = new Set<string>()
  /** The message that the next tool call belongs to. */
  #parentMessageId: string | undefined
  #messageName: string | undefined
  #step: UiStep | undefined
  #finish: Finish | undefined
  /** Tool calls whose arguments were truncated: they stay open until the run ends. */
  readonly #truncatedCallIds: string[] = []

  constructor(options: AgUiOptions, report: LossReport) {
    this.#options = options
    this.#report = report
  }

  beginRun(): AgUiEvents {
    const { threadId, runId, parentRunId } = this.#options
    return [{ type: 'RUN_STARTED', threadId, runId, ...(parentRunId !== undefined && { parentRunId }) }]
  }

  beginStep(step: UiStep): AgUiEvents {
    const { id, model, createdAt, message } = step.start ?? {}
    this.#step = step
    this.#finish = undefined
    this.#parentMessageId = undefined
    this.#messageName = message?.name
    if (message?.parentId !== undefined)
      this.#report.add('message-field', child(child(child(step.path, 'candidates'), 0), 'parentId'))
    if (message?.usage !== undefined) this.#usage.set(step, message.usage)
    const fields = {
      ...(id !== undefined && { responseId: id }),
      ...(model !== undefined && { model }),
      ...((createdAt ?? message?.createdAt) !== undefined && { createdAt: createdAt ?? message?.createdAt }),
    }
    return [{ type: 'STEP_STARTED', stepName: stepNameOf(step), ...wrapInInterlinguaMetadata(fields) }]
  }

  openPart(progress: PartInProgress): AgUiEvents {
    const { part, path, callId } = progress
    const messageId = this.#toMessageId(progress.id)
    const textEvents = 'text' in part && part.text !== '' ? this.appendToPart(progress, part.text) : []
    switch (part.type) {
      case 'text':
      case 'refusal': {
        if (part.type === 'refusal') this.#report.add('refusal-as-text', path)
        this.#parentMessageId = messageId
        const name = this.#messageName === undefined ? {} : { name: this.#messageName }
        return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...name }, ...textEvents]
      }
      case 'reasoning':
        this.#parentMessageId = undefined
        return [
          { type: 'REASONING_START', messageId },
          { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
          ...textEvents,
        ]
      case 'tool-call':
        // Consecutive tool calls belong to one message, so that their results can follow all of them.
        this.#parentMessageId ??= messageId
        return [
          {
            type: 'TOOL_CALL_START',
            toolCallId: callId,
            toolCallName: part.name,
            parentMessageId: this.#parentMessageId,
          },
        ]
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
      case 'tool-result':
      case 'opaque':
        return []
    }
  }

  appendToPart({ id, part, callId }: PartInProgress, delta: string): AgUiEvents {
    return toDeltaEvents(part, this.#toMessageId(id), callId, delta)
  }

  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): AgUiEvents {
    const { path, callId } = progress
    const messageId = this.#toMessageId(progress.id)
    const metadata =
      isTruncated && finalPart.type === 'tool-call'
        ? {}
        : buildPartMetadata(progress, finalPart, this.#report)
    switch (finalPart.type) {
      case 'text':
      case 'refusal': {
        const end: AgUiEvent = { type: 'TEXT_MESSAGE_END', messageId, ...metadata }
        return [
          ...this.#writeRemainingText(progress, finalPart),
          end,
          ...toSignatureEvents(finalPart, 'message', messageId, progress.path, this.#report),
        ]
      }
      case 'reasoning':
        return [
          ...this.#writeRemainingText(progress, finalPart),
          { type: 'REASONING_MESSAGE_END', messageId, ...metadata },
          ...toSignatureEvents(finalPart, 'message', messageId, progress.path, this.#report),
          { type: 'REASONING_END', messageId },
        ]
      case 'tool-call':
        if (isTruncated) this.#truncatedCallIds.push(callId)
        if (isTruncated) return []
        if (finalPart.executedBy !== 'provider') this.#pendingCallIds.add(callId)
        return [
          ...this.#writeRemainingText(progress, finalPart),
          { type: 'TOOL_CALL_END', toolCallId: callId, ...metadata },
          ...toSignatureEvents(finalPart, 'tool-call', callId, progress.path, this.#report),
        ]
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        return isTruncated ? [] : [toMediaEvent(finalPart, messageId, path, this.#report)]
      case 'opaque': {
        if (this.#options.opaque === 'drop') this.#report.add('foreign-opaque', path)
        const { dialect, value } = finalPart
        const custom: AgUiEvent = { type: 'CUSTOM', name: 'interlingua.opaque', value: { dialect, value } }
        return this.#options.opaque === 'drop' ? [] : [custom]
      }
      case 'tool-result':
        return []
    }
  }

  amendPart(progress: PartInProgress, before: AssistantPart, after: AssistantPart): AgUiEvents {
    const messageId = this.#toMessageId(progress.id)
    const signatureEvents =
      before.signature?.value === after.signature?.value ? [] : this.#writeLateSignature(progress, after)
    if (before.type !== 'text' || after.type !== 'text') return signatureEvents
    const added = (after.citations ?? []).slice(before.citations?.length ?? 0)
    if (added.length === 0) return signatureEvents
    this.#report.add('late-citations', child(progress.path, 'citations'))
    const value = { messageId, citations: added.map(toPlainCitation) }
    return [...signatureEvents, { type: 'CUSTOM', name: 'interlingua.citations', value }]
  }

  /** Writes a signature that changed after its part was closed; a client uses the last one. */
  #writeLateSignature(progress: PartInProgress, part: AssistantPart): AgUiEvents {
    if (part.type === 'tool-call')
      return toSignatureEvents(part, 'tool-call', progress.callId, progress.path, this.#report)
    if ('text' in part)
      return toSignatureEvents(part, 'message', this.#toMessageId(progress.id), progress.path, this.#report)
    this.#report.add('late-signature', progress.path)
    return []
  }

  writeResult({ id, part, path, callId }: UiToolResult): AgUiEvents {
    this.#parentMessageId = undefined
    const toolCallId = callId ?? part.callId
    this.#pendingCallIds.delete(toolCallId)
    if (part.isError === true) this.#report.add('error-as-metadata', child(path, 'isError'))
    return [
      {
        type: 'TOOL_CALL_RESULT',
        messageId: this.#toMessageId(id),
        toolCallId,
        role: 'tool',
        content: toResultContent(part, path, this.#report),
        ...wrapInInterlinguaMetadata({
          ...(part.name !== undefined && { name: part.name }),
          ...(part.isError === true && { isError: true }),
        }),
      },
    ]
  }

  writeUsage({ usage }: UsageEvent, step: UiStep): AgUiEvents {
    this.#usage.set(step, usage)
    return []
  }

  writeFinish({ finish }: FinishEvent): AgUiEvents {
    this.#finish = finish
    return []
  }

  writeOpaque({ dialect, value }: OpaqueEvent, { path }: UiStep): AgUiEvents {
    if (this.#options.opaque !== 'drop') return [{ type: 'RAW', event: value, source: dialect }]
    this.#report.add('opaque-event', path)
    return []
  }

  endStep(step: UiStep): AgUiEvents {
    this.#step = undefined
    const finish = this.#finish === undefined ? {} : { finish: { ...this.#finish } }
    return [{ type: 'STEP_FINISHED', stepName: stepNameOf(step), ...wrapInInterlinguaMetadata(finish) }]
  }

  endRun(): AgUiEvents {
    const cancelled = this.#finish?.reason === 'aborted'
    const pending = this.#pendingCallIds.size === 0 ? {} : { pendingToolCallIds: [...this.#pendingCallIds] }
    return this.#writeRunFinished(cancelled ? { type: 'cancelled' } : { type: 'success', ...pending })
  }

  failRun(error: unknown): AgUiEvents {
    if (isAbortError(error)) {
      const closeEvents = this.#truncatedCallIds.map((toolCallId): AgUiEvent => ({
        type: 'TOOL_CALL_END',
        toolCallId,
        ...wrapInInterlinguaMetadata({ truncated: true }),
      }))
      const stepEvents = this.#step === undefined ? [] : this.endStep(this.#step)
      return [...closeEvents, ...stepEvents, ...this.#writeRunFinished({ type: 'cancelled' })]
    }
    const code = toPublicErrorCode(error)
    return [
      {
        type: 'RUN_ERROR',
        message: (this.#options.errorText ?? toPublicErrorText)(error),
        ...(code !== undefined && { code }),
        ...this.#usage.entries(),
      },
    ]
  }

  #writeRunFinished(outcome: AgUiOutcome): AgUiEvents {
    const { threadId, runId } = this.#options
    return [{ type: 'RUN_FINISHED', threadId, runId, outcome, ...this.#usage.entries() }]
  }

  #toMessageId(id: string): string {
    return `${this.#options.runId}-${id}`
  }

  /** Writes the text of a part that no delta contained. */
  #writeRemainingText(progress: PartInProgress, finalPart: AssistantPart): AgUiEvents {
    const remaining = progress.remainingText(finalPart)
    if (remaining === undefined) this.#report.add('correction-omitted', progress.path)
    return remaining === undefined || remaining === '' ? [] : this.appendToPart(progress, remaining)
  }
}

function stepNameOf({ number }: UiStep): string {
  return `step-${number + 1}`
}
