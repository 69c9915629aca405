import type { FinishEvent, OpaqueEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { below } from '../../wire/pointer.ts'
import { codeOf, isAbort, neutralText } from '../shared/failures.ts'
import type { Narrator, Result, Step } from '../shared/narrator.ts'
import type { LossReport } from '../shared/report.ts'
import { plainCitation, plainPart } from '../shared/results.ts'
import type { Unit } from '../shared/unit.ts'
import type { AgUiEvent, AgUiOutcome } from './events.ts'
import { marksOf, ours, vouched } from './marks.ts'
import type { AgUiOptions } from './options.ts'
import { resultContent } from './results.ts'
import { RunUsage } from './usage.ts'

type Events = readonly AgUiEvent[]

/** What AG-UI says at each moment. */
export class AgUiNarrator implements Narrator<AgUiEvent> {
  readonly #options: AgUiOptions
  readonly #report: LossReport
  readonly #usage = new RunUsage()
  /** Calls that the application has to answer. */
  readonly #pending = new Set<string>()
  /** The message to which the next call belongs. */
  #parent: string | undefined
  #name: string | undefined
  #step: Step | undefined
  #finish: Finish | undefined
  /** Calls that were cut: they are open until the run ends. */
  readonly #cut: string[] = []

  constructor(options: AgUiOptions, report: LossReport) {
    this.#options = options
    this.#report = report
  }

  begin(): Events {
    const { threadId, runId, parentRunId } = this.#options
    return [{ type: 'RUN_STARTED', threadId, runId, ...(parentRunId !== undefined && { parentRunId }) }]
  }

  beginStep(step: Step): Events {
    const { id, model, createdAt, message } = step.start ?? {}
    this.#step = step
    this.#finish = undefined
    this.#parent = undefined
    this.#name = message?.name
    if (message?.parentId !== undefined)
      this.#report.lose('message-field', below(below(below(step.at, 'candidates'), 0), 'parentId'))
    if (message?.usage !== undefined) this.#usage.set(step, message.usage)
    const about = {
      ...(id !== undefined && { responseId: id }),
      ...(model !== undefined && { model }),
      ...((createdAt ?? message?.createdAt) !== undefined && { createdAt: createdAt ?? message?.createdAt }),
    }
    return [{ type: 'STEP_STARTED', stepName: nameOf(step), ...ours(about) }]
  }

  open(unit: Unit): Events {
    const { part, at, callId } = unit
    const messageId = this.#idOf(unit.id)
    const said = 'text' in part && part.text !== '' ? this.grow(unit, part.text) : []
    switch (part.type) {
      case 'text':
      case 'refusal': {
        if (part.type === 'refusal') this.#report.lose('refusal-as-text', at)
        this.#parent = messageId
        const name = this.#name === undefined ? {} : { name: this.#name }
        return [{ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...name }, ...said]
      }
      case 'reasoning':
        this.#parent = undefined
        return [
          { type: 'REASONING_START', messageId },
          { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
          ...said,
        ]
      case 'tool-call':
        // Calls that follow each other are one message, so that their results can follow all of them.
        this.#parent ??= messageId
        return [
          {
            type: 'TOOL_CALL_START',
            toolCallId: callId,
            toolCallName: part.name,
            parentMessageId: this.#parent,
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

  grow({ id, part, callId }: Unit, delta: string): Events {
    const messageId = this.#idOf(id)
    switch (part.type) {
      case 'text':
      case 'refusal':
        return [{ type: 'TEXT_MESSAGE_CONTENT', messageId, delta }]
      case 'reasoning':
        return [{ type: 'REASONING_MESSAGE_CONTENT', messageId, delta }]
      case 'tool-call':
        return [{ type: 'TOOL_CALL_ARGS', toolCallId: callId, delta }]
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
      case 'tool-result':
      case 'opaque':
        return []
    }
  }

  close(unit: Unit, whole: AssistantPart, cut: boolean): Events {
    const { at, callId } = unit
    const messageId = this.#idOf(unit.id)
    const marks = cut && whole.type === 'tool-call' ? {} : marksOf(unit, whole, this.#report)
    switch (whole.type) {
      case 'text':
      case 'refusal': {
        const end: AgUiEvent = { type: 'TEXT_MESSAGE_END', messageId, ...marks }
        return [...this.#rest(unit, whole), end, ...this.#encrypted(unit, whole, 'message', messageId)]
      }
      case 'reasoning':
        return [
          ...this.#rest(unit, whole),
          { type: 'REASONING_MESSAGE_END', messageId, ...marks },
          ...this.#encrypted(unit, whole, 'message', messageId),
          { type: 'REASONING_END', messageId },
        ]
      case 'tool-call':
        if (cut) this.#cut.push(callId)
        if (cut) return []
        if (whole.executedBy !== 'provider') this.#pending.add(callId)
        return [
          ...this.#rest(unit, whole),
          { type: 'TOOL_CALL_END', toolCallId: callId, ...marks },
          ...this.#encrypted(unit, whole, 'tool-call', callId),
        ]
      case 'image':
      case 'audio':
      case 'video':
      case 'file': {
        if (cut) return []
        this.#report.lose('media-as-custom', at)
        const signature = vouched(whole, at, this.#report)
        return [
          {
            type: 'CUSTOM',
            name: 'interlingua.media',
            value: { messageId, part: plainPart(whole), ...(signature && { signature }) },
          },
        ]
      }
      case 'opaque': {
        if (this.#options.opaque === 'drop') this.#report.lose('foreign-opaque', at)
        const { dialect, value } = whole
        const custom: AgUiEvent = { type: 'CUSTOM', name: 'interlingua.opaque', value: { dialect, value } }
        return this.#options.opaque === 'drop' ? [] : [custom]
      }
      case 'tool-result':
        return []
    }
  }

  amend(unit: Unit, before: AssistantPart, after: AssistantPart): Events {
    const messageId = this.#idOf(unit.id)
    const signed = before.signature?.value === after.signature?.value ? [] : this.#resigned(unit, after)
    if (before.type !== 'text' || after.type !== 'text') return signed
    const added = (after.citations ?? []).slice(before.citations?.length ?? 0)
    if (added.length === 0) return signed
    this.#report.lose('late-citations', below(unit.at, 'citations'))
    const value = { messageId, citations: added.map(plainCitation) }
    return [...signed, { type: 'CUSTOM', name: 'interlingua.citations', value }]
  }

  /** Another signature for what was closed: the last one counts. */
  #resigned(unit: Unit, part: AssistantPart): Events {
    if (part.type === 'tool-call') return this.#encrypted(unit, part, 'tool-call', unit.callId)
    if ('text' in part) return this.#encrypted(unit, part, 'message', this.#idOf(unit.id))
    this.#report.lose('late-signature', unit.at)
    return []
  }

  result({ id, part, at, callId }: Result): Events {
    this.#parent = undefined
    const toolCallId = callId ?? part.callId
    this.#pending.delete(toolCallId)
    if (part.isError === true) this.#report.lose('error-as-metadata', below(at, 'isError'))
    return [
      {
        type: 'TOOL_CALL_RESULT',
        messageId: this.#idOf(id),
        toolCallId,
        role: 'tool',
        content: resultContent(part, at, this.#report),
        ...ours({
          ...(part.name !== undefined && { name: part.name }),
          ...(part.isError === true && { isError: true }),
        }),
      },
    ]
  }

  usage({ usage }: UsageEvent, step: Step): Events {
    this.#usage.set(step, usage)
    return []
  }

  finish({ finish }: FinishEvent): Events {
    this.#finish = finish
    return []
  }

  opaque({ dialect, value }: OpaqueEvent, { at }: Step): Events {
    if (this.#options.opaque !== 'drop') return [{ type: 'RAW', event: value, source: dialect }]
    this.#report.lose('opaque-event', at)
    return []
  }

  endStep(step: Step): Events {
    this.#step = undefined
    const finish = this.#finish === undefined ? {} : { finish: { ...this.#finish } }
    return [{ type: 'STEP_FINISHED', stepName: nameOf(step), ...ours(finish) }]
  }

  end(): Events {
    const cancelled = this.#finish?.reason === 'aborted'
    const pending = this.#pending.size === 0 ? {} : { pendingToolCallIds: [...this.#pending] }
    return this.#ended(cancelled ? { type: 'cancelled' } : { type: 'success', ...pending })
  }

  fail(error: unknown): Events {
    if (isAbort(error)) {
      const closed = this.#cut.map((toolCallId): AgUiEvent => ({
        type: 'TOOL_CALL_END',
        toolCallId,
        ...ours({ cut: true }),
      }))
      const ended = this.#step === undefined ? [] : this.endStep(this.#step)
      return [...closed, ...ended, ...this.#ended({ type: 'cancelled' })]
    }
    const code = codeOf(error)
    return [
      {
        type: 'RUN_ERROR',
        message: (this.#options.errorText ?? neutralText)(error),
        ...(code !== undefined && { code }),
        ...this.#usage.entries(),
      },
    ]
  }

  #ended(outcome: AgUiOutcome): Events {
    const { threadId, runId } = this.#options
    return [{ type: 'RUN_FINISHED', threadId, runId, outcome, ...this.#usage.entries() }]
  }

  #encrypted({ at }: Unit, part: AssistantPart, subtype: 'message' | 'tool-call', entityId: string): Events {
    const signature = vouched(part, at, this.#report)
    if (signature === undefined) return []
    const { vendor, value } = signature
    return [
      { type: 'REASONING_ENCRYPTED_VALUE', subtype, entityId, encryptedValue: value, ...ours({ vendor }) },
    ]
  }

  #idOf(id: string): string {
    return `${this.#options.runId}-${id}`
  }

  /** What no piece has said of a part. */
  #rest(unit: Unit, whole: AssistantPart): Events {
    const rest = unit.unsaid(whole)
    if (rest === undefined) this.#report.lose('restated', unit.at)
    return rest === undefined || rest === '' ? [] : this.grow(unit, rest)
  }
}

function nameOf({ number }: Step): string {
  return `step-${number + 1}`
}
