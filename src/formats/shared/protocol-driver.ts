import type {
  ApprovalRequestEvent,
  ChatEvent,
  PartEndEvent,
  RunEvent,
  StartEvent,
  ToolProgressEvent,
} from '../../canonical/model/event.ts'
import type { ToolMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { describeType, isEqualJson, isObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type ProtocolWriter, UiCallIdAssigner, type UiStep } from './protocol-writer.ts'
import type { StreamFailure, StreamTransform } from '../../wire/pull-stages.ts'
import type { LossReporter } from './loss-reporter.ts'
import { streamedTextOf, PartInProgress } from './part-in-progress.ts'

/** Events that belong to a response, whether or not its start event was received. */
type ResponseEvent = Exclude<ChatEvent, { type: 'start' | 'error' | 'loss' | 'opaque' | 'retry' }>

function stepPath(number: number): Path {
  return child(child(undefined, 'steps'), number)
}

/** Refuses the chunks of an agent, which are no events. */
function checkEvent(event: unknown): void {
  if (isObject(event) && ('role' in event || typeof event['type'] === 'string')) return
  const hint = 'Pass the events of a model, or those of an agent: agent.stream(prompt).events().'
  throwInvalid('invalid-type', undefined, describeType(event), 'an event', hint)
}

/** Reads the events of a run and calls a {@link ProtocolWriter} for its steps, parts and results. */
export class ProtocolDriver<T> implements StreamTransform<RunEvent, T> {
  isDone = false
  readonly #writer: ProtocolWriter<T>
  readonly #report: LossReporter
  readonly #callIds: UiCallIdAssigner
  /** The last part at each position of this step. Closed parts too: some providers complete a part later. */
  readonly #parts = new Map<number, PartInProgress>()
  /** The open parts, in the order in which they were opened. */
  readonly #open = new Set<PartInProgress>()
  /** The open parts that have ended: tool calls that wait for more of their arguments. */
  readonly #waiting = new Set<PartInProgress>()
  #hasBegun = false
  #step: UiStep = { number: 0, path: stepPath(0) }
  #stepCount = 0
  #isInStep = false
  #hasFinished = false
  #resultCount = 0

  constructor(writer: ProtocolWriter<T>, report: LossReporter, knownCalls?: Iterable<string>) {
    this.#writer = writer
    this.#report = report
    this.#callIds = new UiCallIdAssigner(knownCalls)
  }

  read(event: RunEvent): readonly T[] {
    checkEvent(event)
    if ('role' in event) return this.#writeToolMessage(event)
    if (event.type === 'tool-progress' || event.type === 'approval-request')
      return this.#writeToolState(event)
    const { candidate = 0 } = event
    if (event.type === 'retry') return []
    if (event.type === 'loss') this.#report.forward(event.loss)
    else if (candidate !== 0)
      this.#report.add('candidates-dropped', child(child(this.#step.path, 'candidates'), candidate))
    else if (event.type === 'start') return [...this.#endStep(), ...this.#beginStep(event)]
    else if (event.type === 'error') return this.#fail(event.error)
    else if (event.type === 'opaque') {
      const written = this.#writer.writeOpaque(event, this.#step)
      return written.length === 0 ? [] : [...this.#begin(), ...written]
    } else return [...(this.#isInStep ? [] : this.#beginStep()), ...this.#dispatch(event)]
    return []
  }

  end(failure: StreamFailure | undefined): readonly T[] {
    // The loss handler refused a loss: the consumer receives the error.
    if (failure?.isFromTransform === true) throw failure.error
    if (failure !== undefined) return this.#fail(failure.error)
    this.isDone = true
    return [...this.#begin(), ...this.#endStep(), ...this.#writer.endRun()]
  }

  #fail(error: unknown): readonly T[] {
    this.isDone = true
    return [...this.#begin(), ...this.#closeAll(true), ...this.#writer.failRun(error)]
  }

  #dispatch(event: ResponseEvent): readonly T[] {
    this.#report.addResidue(event.extra, 'index' in event ? this.#partPath(event.index) : this.#step.path)
    switch (event.type) {
      case 'usage':
        this.#report.addResidue(event.usage.extra, child(this.#step.path, 'usage'))
        return this.#writer.writeUsage(event, this.#step)
      case 'finish':
        this.#hasFinished = true
        return [...this.#closeEnded(), ...this.#writer.writeFinish(event, this.#step)]
      case 'part-start':
        return this.#openPart(event.index, event.part)
      case 'text-delta':
        return this.#appendToPart(event.index, event.text, { type: 'text', text: '' })
      case 'refusal-delta':
        return this.#appendToPart(event.index, event.text, { type: 'refusal', text: '' })
      case 'reasoning-delta': {
        const { index, text, summary } = event
        return this.#appendToPart(index, text, { type: 'reasoning', text: '', ...(summary && { summary }) })
      }
      case 'arguments-delta':
        return this.#appendToPart(event.index, event.json)
      case 'media-delta':
        return this.#appendToPart(event.index, event.data)
      case 'part-update': {
        const progress = this.#parts.get(event.index)
        if (progress === undefined) this.#report.add('late-delta', this.#partPath(event.index))
        progress?.update(event)
        return this.#amendPart(progress)
      }
      case 'part-end':
        return this.#endPart(event)
    }
  }

  #partPath(index: number): Path {
    return child(child(child(child(this.#step.path, 'candidates'), 0), 'content'), index)
  }

  #begin(start?: StartEvent): readonly T[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return this.#writer.beginRun(start)
  }

  #beginStep(start?: StartEvent): readonly T[] {
    const begun = this.#begin(start)
    const number = this.#stepCount++
    this.#step = { number, path: stepPath(number), ...(start && { start }) }
    this.#isInStep = true
    this.#hasFinished = false
    this.#resultCount = 0
    this.#parts.clear()
    this.#report.addResidue(start?.extra, this.#step.path)
    this.#report.addResidue(start?.message?.extra, child(child(this.#step.path, 'candidates'), 0))
    return [...begun, ...this.#writer.beginStep(this.#step)]
  }

  #endStep(): readonly T[] {
    if (!this.#isInStep) return []
    // Another response started before this one had finished: the UI keeps what it has shown.
    if (!this.#hasFinished && !this.isDone) this.#report.add('restarted', this.#step.path)
    const closed = this.#closeAll(false)
    this.#isInStep = false
    return [...closed, ...this.#writer.endStep(this.#step)]
  }

  #openPart(index: number, part: AssistantPart): readonly T[] {
    const before = this.#parts.get(index)
    if (before?.isOpen === true) this.#report.add('correction-omitted', before.path)
    const closed = before?.isOpen === true ? this.#closePart(before, false) : []
    return [...closed, ...this.#writer.openPart(this.#createPart(index, part))]
  }

  #createPart(index: number, part: AssistantPart): PartInProgress {
    const path = this.#partPath(index)
    const count = (this.#parts.get(index)?.openCount ?? 0) + 1
    const id = `${this.#step.number}-${index}${count === 1 ? '' : `-${count}`}`
    const callId = part.type === 'tool-call' ? this.#callIds.assignId(part.id) : ''
    if (part.type === 'tool-call' && callId !== part.id)
      this.#report.add('call-id-repeated', child(path, 'id'))
    const progress = new PartInProgress(id, path, part, callId, count)
    this.#parts.set(index, progress)
    this.#open.add(progress)
    return progress
  }

  /** Appends a delta. If the part is not open, `emptyPart` is opened; without it the delta is too late. */
  #appendToPart(index: number, delta: string, emptyPart?: AssistantPart): readonly T[] {
    let progress = this.#parts.get(index)
    let opened: readonly T[] = []
    if (progress?.isOpen !== true) {
      if (progress !== undefined || emptyPart === undefined)
        this.#report.add('late-delta', this.#partPath(index))
      if (emptyPart === undefined) return []
      progress = this.#createPart(index, emptyPart)
      opened = this.#writer.openPart(progress)
    }
    progress.append(delta)
    return delta === '' ? opened : [...opened, ...this.#writer.appendToPart(progress, delta)]
  }

  #endPart(event: PartEndEvent): readonly T[] {
    const { index, part } = event
    const opened = part === undefined || this.#parts.has(index) ? [] : this.#openPart(index, part)
    const progress = this.#parts.get(index)
    progress?.end(event)
    if (progress?.isOpen !== true) return this.#amendPart(progress)
    if (!progress.isIncomplete() || this.#hasFinished) return [...opened, ...this.#closePart(progress, false)]
    this.#waiting.add(progress)
    return opened
  }

  #closePart(progress: PartInProgress, isTruncated: boolean): readonly T[] {
    const { path, part } = progress
    const currentPart = progress.toPart()
    const finalPart = currentPart.type === part.type ? currentPart : part
    if (finalPart !== currentPart) this.#report.add('correction-omitted', path)
    progress.finalPart = finalPart
    this.#open.delete(progress)
    this.#waiting.delete(progress)
    if (finalPart.type === 'tool-result')
      return [...this.#closeEnded(), ...this.#writeResult(finalPart, path, true)]
    this.#report.addHiddenFields(finalPart, path)
    const shown = this.#dropStaleSignature(progress, finalPart)
    return this.#writer.closePart(progress, shown, isTruncated && !progress.hasEnded)
  }

  /** Removes a signature if the UI shows another text than the one that was signed. */
  #dropStaleSignature(progress: PartInProgress, finalPart: AssistantPart): AssistantPart {
    if (finalPart.signature === undefined || !('text' in finalPart)) return finalPart
    if (progress.remainingText(finalPart) !== undefined) return finalPart
    this.#report.add('stale-signature', progress.path)
    const { signature: _signature, ...rest } = finalPart
    return rest
  }

  /** Writes what was added to a closed part; nothing for an open part. */
  #amendPart(progress: PartInProgress | undefined): readonly T[] {
    if (progress?.finalPart === undefined) return []
    const { finalPart, path } = progress
    const after = progress.toPart()
    const isSameText = after.type === finalPart.type && streamedTextOf(after) === streamedTextOf(finalPart)
    if (!isSameText || (after.type === 'tool-result' && !isEqualJson(after, finalPart)))
      this.#report.add('correction-omitted', path)
    if (after.type !== finalPart.type || after.type === 'tool-result') return []
    this.#report.addHiddenFields(after, path)
    progress.finalPart = after
    if (isSameText) return this.#writer.amendPart(progress, finalPart, after)
    const { signature: _signature, ...unsigned } = after
    const { signature } = finalPart
    return this.#writer.amendPart(progress, finalPart, signature ? { ...unsigned, signature } : unsigned)
  }

  #closeAll(isTruncated: boolean): readonly T[] {
    return this.#closeParts(this.#open, isTruncated)
  }

  /** Closes the tool calls that waited for more of their arguments. */
  #closeEnded(): readonly T[] {
    return this.#closeParts(this.#waiting, false)
  }

  #closeParts(parts: ReadonlySet<PartInProgress>, isTruncated: boolean): readonly T[] {
    return [...parts].flatMap((progress) => (progress.isOpen ? this.#closePart(progress, isTruncated) : []))
  }

  /** Writes the state of a call; nothing if the UI does not know the call, such as one of a nested agent. */
  #writeToolState(event: ToolProgressEvent | ApprovalRequestEvent): readonly T[] {
    const callId = this.#callIds.findOpenCall(event.callId)
    if (callId === undefined) return []
    const opened = [...this.#begin(), ...this.#closeAll(false)]
    const written =
      event.type === 'tool-progress'
        ? this.#writer.writeProgress?.(callId, event.progress)
        : this.#writer.writeApprovalRequest?.(callId, event.id)
    return [...opened, ...(written ?? [])]
  }

  #writeToolMessage({ content }: ToolMessage): readonly T[] {
    const opened = [...this.#begin(), ...this.#closeAll(false)]
    const path = child(child(this.#step.path, 'results'), 'content')
    const results = content.flatMap((part, index) => {
      if (part.type === 'tool-result') return this.#writeResult(part, child(path, index), false)
      this.#report.add('foreign-opaque', child(path, index))
      return []
    })
    return [...opened, ...results]
  }

  #writeResult(part: ToolResultPart, path: Path, isProviderExecuted: boolean): readonly T[] {
    this.#report.addHiddenFields(part, path)
    const match = this.#callIds.matchResult(part.callId)
    if (match?.isRepeated === true) this.#report.add('result-replaced', path)
    const id = `${this.#step.number}-r${this.#resultCount++}`
    return this.#writer.writeResult({ id, part, path, callId: match?.id, isProviderExecuted })
  }
}
