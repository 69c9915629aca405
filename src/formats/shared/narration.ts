import type { ChatEvent, PartEndEvent, PartStartEvent, StartEvent } from '../../canonical/model/event.ts'
import type { ToolMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolResultPart } from '../../canonical/model/part.ts'
import { equalJson } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { CallIds } from './call-ids.ts'
import type { Narrator, Step, UiEvent } from './narrator.ts'
import type { Outlet } from './pulled.ts'
import type { LossReport } from './report.ts'
import { spoken, Unit } from './unit.ts'

/** Events that belong to an answer, whether or not its start was told. */
type AnswerEvent = Exclude<ChatEvent, { type: 'start' | 'error' | 'loss' | 'opaque' }>

function stepAt(number: number): Path {
  return below(below(undefined, 'steps'), number)
}

/** Reads the events of a run and has them told: steps, parts that open, grow and close, results, the end. */
export class Narration<T> implements Outlet<UiEvent, T> {
  done = false
  readonly #narrator: Narrator<T>
  readonly #report: LossReport
  readonly #calls: CallIds
  readonly #units = new Map<number, Unit>()
  /** What was closed in this step: some providers say the last of a part at the end of the answer. */
  readonly #closed = new Map<number, { readonly unit: Unit; readonly whole: AssistantPart }>()
  /** How often each position was opened in this step. */
  readonly #opened = new Map<number, number>()
  #begun = false
  #step: Step = { number: 0, at: stepAt(0) }
  #steps = 0
  #inStep = false
  #finished = false
  #results = 0

  constructor(narrator: Narrator<T>, report: LossReport, knownCalls?: Iterable<string>) {
    this.#narrator = narrator
    this.#report = report
    this.#calls = new CallIds(knownCalls)
  }

  write(event: UiEvent): readonly T[] {
    if ('role' in event) return this.#answers(event)
    const { candidate = 0 } = event
    if (event.type === 'loss') this.#report.pass(event.loss)
    else if (candidate !== 0)
      this.#report.lose('candidates-dropped', below(below(this.#step.at, 'candidates'), candidate))
    else if (event.type === 'start') return [...this.#endStep(), ...this.#beginStep(event)]
    else if (event.type === 'error') return this.fail(event.error)
    else if (event.type === 'opaque') {
      const told = this.#narrator.opaque(event, this.#step)
      return told.length === 0 ? [] : [...this.#begin(), ...told]
    } else return [...(this.#inStep ? [] : this.#beginStep()), ...this.#tell(event)]
    return []
  }

  end(): readonly T[] {
    this.done = true
    return [...this.#begin(), ...this.#endStep(), ...this.#narrator.end()]
  }

  fail(error: unknown): readonly T[] {
    this.done = true
    return [...this.#begin(), ...this.#closeAll(true), ...this.#narrator.fail(error)]
  }

  #tell(event: AnswerEvent): readonly T[] {
    this.#report.residue(event.extra, 'index' in event ? this.#partAt(event.index) : this.#step.at)
    switch (event.type) {
      case 'usage':
        this.#report.residue(event.usage.extra, below(this.#step.at, 'usage'))
        return this.#narrator.usage(event, this.#step)
      case 'finish':
        this.#finished = true
        return [...this.#closeEnded(), ...this.#narrator.finish(event, this.#step)]
      case 'part-start':
        return this.#open(event)
      case 'text-delta':
        return this.#grow(event.index, event.text, { type: 'text', text: '' })
      case 'refusal-delta':
        return this.#grow(event.index, event.text, { type: 'refusal', text: '' })
      case 'reasoning-delta':
        return this.#grow(event.index, event.text, {
          type: 'reasoning',
          text: '',
          ...(event.summary === true && { summary: true }),
        })
      case 'arguments-delta':
        return this.#grow(event.index, event.json)
      case 'media-delta':
        return this.#grow(event.index, event.data)
      case 'part-update': {
        const unit = this.#units.get(event.index) ?? this.#closed.get(event.index)?.unit
        if (unit === undefined) this.#report.lose('late-delta', this.#partAt(event.index))
        unit?.update(event)
        return this.#amend(event.index)
      }
      case 'part-end':
        return this.#end(event)
    }
  }

  #partAt(index: number): Path {
    return below(below(below(below(this.#step.at, 'candidates'), 0), 'content'), index)
  }

  #begin(start?: StartEvent): readonly T[] {
    if (this.#begun) return []
    this.#begun = true
    return this.#narrator.begin(start)
  }

  #beginStep(start?: StartEvent): readonly T[] {
    const begun = this.#begin(start)
    const number = this.#steps++
    this.#step = { number, at: stepAt(number), ...(start && { start }) }
    this.#inStep = true
    this.#finished = false
    this.#results = 0
    this.#opened.clear()
    this.#closed.clear()
    this.#report.residue(start?.extra, this.#step.at)
    this.#report.residue(start?.message?.extra, below(below(this.#step.at, 'candidates'), 0))
    return [...begun, ...this.#narrator.beginStep(this.#step)]
  }

  #endStep(): readonly T[] {
    if (!this.#inStep) return []
    // Another answer before this one had its end: it begins anew, but what a UI has shown stays.
    if (!this.#finished && !this.done) this.#report.lose('restarted', this.#step.at)
    const closed = this.#closeAll(false)
    this.#inStep = false
    return [...closed, ...this.#narrator.endStep(this.#step)]
  }

  #open({ index, part }: Pick<PartStartEvent, 'index' | 'part'>): readonly T[] {
    const before = this.#units.get(index)
    if (before !== undefined) this.#report.lose('restated', before.at)
    const closed = before === undefined ? [] : this.#close(index, before, false)
    return [...closed, ...this.#narrator.open(this.#unit(index, part))]
  }

  #unit(index: number, part: AssistantPart): Unit {
    const at = this.#partAt(index)
    const count = (this.#opened.get(index) ?? 0) + 1
    this.#opened.set(index, count)
    const callId = part.type === 'tool-call' ? this.#calls.open(part.id) : ''
    if (part.type === 'tool-call' && callId !== part.id)
      this.#report.lose('call-id-repeated', below(at, 'id'))
    const unit = new Unit(`${this.#step.number}-${index}${count === 1 ? '' : `-${count}`}`, at, part, callId)
    this.#units.set(index, unit)
    this.#closed.delete(index)
    return unit
  }

  /** More of a part. Text whose part was not opened, or is closed, opens one; for other parts it comes too late. */
  #grow(index: number, piece: string, blank?: AssistantPart): readonly T[] {
    const found = this.#units.get(index)
    if (found === undefined && (blank === undefined || this.#opened.has(index)))
      this.#report.lose('late-delta', this.#partAt(index))
    const unit = found ?? (blank && this.#unit(index, blank))
    if (unit === undefined) return []
    const opened = found === undefined ? this.#narrator.open(unit) : []
    unit.grow(piece)
    return [...opened, ...(piece === '' ? [] : this.#narrator.grow(unit, piece))]
  }

  #end(event: PartEndEvent): readonly T[] {
    const { index, part } = event
    const known = this.#opened.has(index)
    const opened = known || part === undefined ? [] : this.#open({ index, part })
    const unit = this.#units.get(index)
    ;(unit ?? this.#closed.get(index)?.unit)?.end(event)
    if (unit === undefined) return this.#amend(index)
    return unit.isIncomplete() && !this.#finished ? opened : [...opened, ...this.#close(index, unit, false)]
  }

  #close(index: number, unit: Unit, cut: boolean): readonly T[] {
    this.#units.delete(index)
    const came = unit.whole()
    const whole = came.type === unit.part.type ? came : unit.part
    if (whole !== came) this.#report.lose('restated', unit.at)
    this.#closed.set(index, { unit, whole })
    if (whole.type === 'tool-result') return [...this.#closeEnded(), ...this.#answer(whole, unit.at, true)]
    this.#report.hidden(whole, unit.at)
    return this.#narrator.close(unit, this.#vouched(unit, whole), cut && !unit.ended)
  }

  /** A signature vouches for the words that came last: a UI that shows others must not have it. */
  #vouched(unit: Unit, whole: AssistantPart): AssistantPart {
    if (whole.signature === undefined || !('text' in whole) || unit.unsaid(whole) !== undefined) return whole
    this.#report.lose('stale-signature', unit.at)
    const { signature: _signature, ...rest } = whole
    return rest
  }

  /** What was added to a part after it was closed; nothing for one that is open. */
  #amend(index: number): readonly T[] {
    const closed = this.#closed.get(index)
    if (closed === undefined) return []
    const { unit, whole } = closed
    const after = unit.whole()
    const same = after.type === whole.type && spoken(after) === spoken(whole)
    if (!same || (after.type === 'tool-result' && !equalJson(after, whole)))
      this.#report.lose('restated', unit.at)
    if (after.type !== whole.type || after.type === 'tool-result') return []
    this.#report.hidden(after, unit.at)
    this.#closed.set(index, { unit, whole: after })
    const { signature: _signature, ...unsigned } = after
    const kept = whole.signature === undefined ? unsigned : { ...unsigned, signature: whole.signature }
    return this.#narrator.amend(unit, whole, same ? after : kept)
  }

  #closeAll(cut: boolean): readonly T[] {
    return [...this.#units].flatMap(([index, unit]) =>
      this.#units.has(index) ? this.#close(index, unit, cut) : [],
    )
  }

  /** Closes the calls that waited for more of their arguments. */
  #closeEnded(): readonly T[] {
    return [...this.#units].flatMap(([index, unit]) => (unit.ended ? this.#close(index, unit, false) : []))
  }

  #answers({ content }: ToolMessage): readonly T[] {
    const told = [...this.#begin(), ...this.#closeAll(false)]
    const at = below(below(this.#step.at, 'results'), 'content')
    const answered = content.flatMap((part, index) => {
      if (part.type === 'tool-result') return this.#answer(part, below(at, index), false)
      this.#report.lose('foreign-opaque', below(at, index))
      return []
    })
    return [...told, ...answered]
  }

  #answer(part: ToolResultPart, at: Path, provided: boolean): readonly T[] {
    this.#report.hidden(part, at)
    const answered = this.#calls.answer(part.callId)
    if (answered?.again === true) this.#report.lose('result-replaced', at)
    const id = `${this.#step.number}-r${this.#results++}`
    return this.#narrator.result({ id, part, at, callId: answered?.id, provided })
  }
}
