import type { FinishEvent, OpaqueEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, MediaPart, ToolCallPart } from '../../canonical/model/part.ts'
import { type Json, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import {
  isAbortError,
  toPublicErrorCode,
  toPublicErrorText,
  type ProtocolWriter,
  type UiStep,
  type UiToolResult,
} from '../shared/protocol-writer.ts'
import type { LossReporter } from '../shared/loss-reporter.ts'
import { toPlainCitation, toPlainPart } from '../shared/to-plain-output.ts'
import type { PartInProgress, TextualPart } from '../shared/part-in-progress.ts'
import { buildPartMetadata, readValidSignature, wrapInMetadata } from './build-metadata.ts'
import type { AgUiEvent, AgUiOutcome } from './ag-ui-event.ts'
import type { AgUiOptions } from './options.ts'
import { RunOutcomeCollector, RunUsageCollector } from './run-collectors.ts'
import { toAgUiResultContent } from './to-ag-ui-result-content.ts'

type AgUiEvents = readonly AgUiEvent[]

/** Writes a run as AG-UI events. */
export class AgUiWriter implements ProtocolWriter<AgUiEvent> {
  readonly #options: AgUiOptions
  readonly #report: LossReporter
  readonly #usage = new RunUsageCollector()
  readonly #outcome = new RunOutcomeCollector()
  /** The message that the next tool call belongs to. */
  #parentMessageId: string | undefined
  #messageName: string | undefined
  #step: UiStep | undefined
  #finish: Finish | undefined
  /** Tool calls whose arguments were truncated: they stay open until the run ends. */
  readonly #truncatedCallIds: string[] = []

  constructor(options: AgUiOptions, report: LossReporter) {
    this.#options = options
    this.#report = report
  }

  beginRun(): AgUiEvents {
    const { threadId, runId, parentRunId } = this.#options
    return [{ type: 'RUN_STARTED', threadId, runId, ...omitUndefined({ parentRunId }) }]
  }

  beginStep(step: UiStep): AgUiEvents {
    const { id: responseId, model, createdAt, message } = step.start ?? {}
    this.#step = step
    this.#finish = undefined
    this.#parentMessageId = undefined
    this.#messageName = message?.name
    if (message?.parentId !== undefined)
      this.#report.add('message-field', child(child(child(step.path, 'candidates'), 0), 'parentId'))
    if (message?.usage !== undefined) this.#usage.set(step, message.usage)
    const fields = omitUndefined({ responseId, model, createdAt: createdAt ?? message?.createdAt })
    return [{ type: 'STEP_STARTED', stepName: stepNameOf(step), ...wrapInMetadata(fields) }]
  }

  openPart(progress: PartInProgress): AgUiEvents {
    const { part, path, callId } = progress
    const messageId = this.#toMessageId(progress.id)
    if (part.type === 'tool-call') {
      // Consecutive tool calls belong to one message, so that their results can follow all of them.
      const parentMessageId = (this.#parentMessageId ??= messageId)
      return [{ type: 'TOOL_CALL_START', toolCallId: callId, toolCallName: part.name, parentMessageId }]
    }
    if (!('text' in part)) return []
    const textEvents = part.text === '' ? [] : this.appendToPart(progress, part.text)
    if (part.type === 'reasoning') {
      this.#parentMessageId = undefined
      return [
        { type: 'REASONING_START', messageId },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
        ...textEvents,
      ]
    }
    if (part.type === 'refusal') this.#report.add('refusal-as-text', path)
    this.#parentMessageId = messageId
    const name = omitUndefined({ name: this.#messageName })
    return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...name }, ...textEvents]
  }

  appendToPart({ id, part, callId }: PartInProgress, delta: string): AgUiEvents {
    if (part.type === 'tool-call') return [{ type: 'TOOL_CALL_ARGS', toolCallId: callId, delta }]
    if (!('text' in part)) return []
    const type = part.type === 'reasoning' ? 'REASONING_MESSAGE_CONTENT' : 'TEXT_MESSAGE_CONTENT'
    return [{ type, messageId: this.#toMessageId(id), delta }]
  }

  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): AgUiEvents {
    const { path, callId } = progress
    if ('source' in finalPart) return isTruncated ? [] : [this.#toMediaEvent(progress, finalPart)]
    switch (finalPart.type) {
      case 'text':
      case 'refusal':
      case 'reasoning':
        return this.#closeMessage(progress, finalPart)
      case 'tool-call':
        if (isTruncated) this.#truncatedCallIds.push(callId)
        return isTruncated ? [] : this.#closeToolCall(progress, finalPart)
      case 'opaque': {
        const { dialect, value } = finalPart
        if (this.#options.opaque !== 'drop')
          return [{ type: 'CUSTOM', name: 'interlingua.opaque', value: { dialect, value } }]
        this.#report.add('foreign-opaque', path)
        return []
      }
      case 'tool-result':
        return []
    }
  }

  #closeMessage(progress: PartInProgress, finalPart: TextualPart): AgUiEvents {
    const messageId = this.#toMessageId(progress.id)
    const isReasoning = finalPart.type === 'reasoning'
    const metadata = buildPartMetadata(progress, finalPart, this.#report)
    return [
      ...this.#writeRemainingText(progress, finalPart),
      { type: isReasoning ? 'REASONING_MESSAGE_END' : 'TEXT_MESSAGE_END', messageId, ...metadata },
      ...this.#writeSignature(progress, finalPart),
      ...(isReasoning ? [{ type: 'REASONING_END', messageId } as const] : []),
    ]
  }

  #closeToolCall(progress: PartInProgress, finalPart: ToolCallPart): AgUiEvents {
    const toolCallId = progress.callId
    if (finalPart.executedBy !== 'provider') this.#outcome.addCall(toolCallId)
    const metadata = buildPartMetadata(progress, finalPart, this.#report)
    return [
      ...this.#writeRemainingText(progress, finalPart),
      { type: 'TOOL_CALL_END', toolCallId, ...metadata },
      ...this.#writeSignature(progress, finalPart),
    ]
  }

  /** Returns a media part as a custom event: AG-UI has no event for media of an assistant message. */
  #toMediaEvent({ id, path }: PartInProgress, part: MediaPart): AgUiEvent {
    this.#report.add('media-as-custom', path)
    const signature = readValidSignature(part, path, this.#report)
    const value = {
      messageId: this.#toMessageId(id),
      part: toPlainPart(part),
      ...(signature && { signature }),
    }
    return { type: 'CUSTOM', name: 'interlingua.media', value }
  }

  #writeSignature({ id, path, callId }: PartInProgress, part: AssistantPart): AgUiEvents {
    const signature = readValidSignature(part, path, this.#report)
    if (signature === undefined) return []
    const { vendor, value } = signature
    const isCall = part.type === 'tool-call'
    return [
      {
        type: 'REASONING_ENCRYPTED_VALUE',
        subtype: isCall ? 'tool-call' : 'message',
        entityId: isCall ? callId : this.#toMessageId(id),
        encryptedValue: value,
        ...wrapInMetadata({ vendor }),
      },
    ]
  }

  amendPart(progress: PartInProgress, before: AssistantPart, after: AssistantPart): AgUiEvents {
    const signatureEvents =
      before.signature?.value === after.signature?.value ? [] : this.#writeLateSignature(progress, after)
    if (before.type !== 'text' || after.type !== 'text') return signatureEvents
    const added = (after.citations ?? []).slice(before.citations?.length ?? 0)
    if (added.length === 0) return signatureEvents
    this.#report.add('late-citations', child(progress.path, 'citations'))
    const value = { messageId: this.#toMessageId(progress.id), citations: added.map(toPlainCitation) }
    return [...signatureEvents, { type: 'CUSTOM', name: 'interlingua.citations', value }]
  }

  /** Writes a signature that changed after its part was closed; a client uses the last one. */
  #writeLateSignature(progress: PartInProgress, part: AssistantPart): AgUiEvents {
    if (part.type === 'tool-call' || 'text' in part) return this.#writeSignature(progress, part)
    this.#report.add('late-signature', progress.path)
    return []
  }

  writeResult({ id, part, path, callId }: UiToolResult): AgUiEvents {
    this.#parentMessageId = undefined
    const toolCallId = callId ?? part.callId
    this.#outcome.removeCall(toolCallId)
    if (part.isError === true) this.#report.add('error-as-metadata', child(path, 'isError'))
    return [
      {
        type: 'TOOL_CALL_RESULT',
        messageId: this.#toMessageId(id),
        toolCallId,
        role: 'tool',
        content: toAgUiResultContent(part, path, this.#report),
        ...wrapInMetadata(omitUndefined({ name: part.name, isError: part.isError })),
      },
    ]
  }

  /** AG-UI has no event for the progress of a tool. */
  writeProgress(toolCallId: string, progress: Json): AgUiEvents {
    return [{ type: 'CUSTOM', name: 'interlingua.tool-progress', value: { toolCallId, progress } }]
  }

  writeApprovalRequest(toolCallId: string, id: string): AgUiEvents {
    this.#outcome.addApprovalRequest(toolCallId, id)
    return []
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
    const metadata = this.#finish === undefined ? {} : wrapInMetadata({ finish: { ...this.#finish } })
    return [{ type: 'STEP_FINISHED', stepName: stepNameOf(step), ...metadata }]
  }

  endRun(): AgUiEvents {
    return this.#writeRunFinished(this.#outcome.toOutcome(this.#finish?.reason === 'aborted'))
  }

  failRun(error: unknown): AgUiEvents {
    if (isAbortError(error)) {
      const closeEvents = this.#truncatedCallIds.map((toolCallId): AgUiEvent => ({
        type: 'TOOL_CALL_END',
        toolCallId,
        ...wrapInMetadata({ truncated: true }),
      }))
      const stepEvents = this.#step === undefined ? [] : this.endStep(this.#step)
      return [...closeEvents, ...stepEvents, ...this.#writeRunFinished({ type: 'cancelled' })]
    }
    const code = toPublicErrorCode(error)
    return [
      {
        type: 'RUN_ERROR',
        message: (this.#options.errorText ?? toPublicErrorText)(error),
        ...omitUndefined({ code }),
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
    return remaining ? this.appendToPart(progress, remaining) : []
  }
}

function stepNameOf({ number }: UiStep): string {
  return `step-${number + 1}`
}
