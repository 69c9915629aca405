import type { ChatEvent, PartStartEvent, PartUpdateEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { argumentsText } from '../../canonical/build/arguments.ts'
import { OpenPart } from '../../canonical/stream/open-part.ts'
import { below } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { writeName } from '../shared/names.ts'
import { hintsFor } from '../unit.ts'
import { encodeCitation } from './citations.ts'
import { SLOT, toolNames } from './codes.ts'
import { encodeFinish } from './finish.ts'
import { encodeRun, wordsFor } from './items.ts'
import { isHead } from './said.ts'
import {
  callKind,
  dated,
  endings,
  isCustom,
  isPlainCall,
  partAt,
  emptied,
  type Open,
  type Planned,
  untold,
  isForeign,
  joinsItem,
  step,
  stretched,
  summaryEvents,
  texts,
} from './stream-rules.ts'
import { wordOf } from '../shared/wire-text.ts'
import { reportBare } from '../shared/bare.ts'

/** Which wire events say events of another format: items one after the other, each closed before the next. */
export class StreamPlan {
  readonly #encoding: Encoding
  readonly #dropped = new Set<number>()
  #open: Open | undefined
  /** Parts that are one item, whole; it goes out when no more can join it. */
  #held: { readonly index: number; readonly part: AssistantPart }[] = []
  /** The ends of the texts that stand in a message item, which is done when no more can join it. */
  #ends: ChatEvent[] = []
  #texts = new Map<number, AssistantPart>()
  #said: ChatEvent[] = []
  /** What was told otherwise, by its part. */
  readonly #corrections = new Map<number, ChatEvent>()
  #start: StartEvent | undefined
  #content: AssistantPart[] = []

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  plan(event: ChatEvent): Planned {
    const candidate = event.candidate ?? 0
    if (candidate !== 0) return this.#drop(candidate)
    if (event.type === 'start') {
      const before = this.#start === undefined ? [] : this.end()
      this.#start = event
      if (event.message?.name !== undefined)
        this.#encoding.lose('message-name', below(below(below(undefined, 'candidates'), 0), 'name'))
      this.#said = []
      this.#content = []
      this.#corrections.clear()
      return [
        ...before,
        ['response.created', [dated(event, this.#encoding.options.now ?? Date.now)]],
        ['response.in_progress', [step]],
      ]
    }
    if (event.type === 'finish' || event.type === 'usage') {
      this.#said = [...this.#said.filter(({ type }) => type !== event.type), event]
      return []
    }
    if (!('index' in event)) return []
    return event.type === 'part-start' ? this.#begin(event) : this.#grow(event)
  }

  /** The wire events that end the stream. */
  end(): Planned {
    const closing = [...this.#close(), ...this.#complete(), ...this.#release()]
    const finish = this.#said.find((event) => event.type === 'finish')?.finish
    // What was cut stays cut.
    if (finish === undefined)
      return this.#said.length === 0 ? closing : [...closing, ['response.in_progress', this.#said]]
    const own = this.#start?.origin?.dialect === SLOT
    const short = hintsFor(this.#start?.message ?? {}, SLOT)['incompleteStatus'] === true
    const at = below(below(below(undefined, 'candidates'), 0), 'finish')
    const status = wordOf(
      encodeFinish({ finish, content: this.#content, own, short }, at, this.#encoding)['status'],
    )
    const { raw: _raw, ...plain } = finish
    const said = this.#said.map((event) =>
      event.type === 'finish' && !own ? { ...event, finish: plain } : event,
    )
    const last = [...this.#corrections.values(), ...said]
    return [...closing, [`response.${endings.get(status) ?? 'completed'}`, last]]
  }

  #begin(event: PartStartEvent): Planned {
    const { index, part } = event
    const closing = this.#close()
    const text = part.type === 'text' || part.type === 'refusal'
    const held = !text && (isForeign(part) || !isPlainCall(part))
    this.#open = { index, part, whole: new OpenPart(text ? emptied(part) : part), held, told: false }
    if (held) return closing
    this.#content.push(part)
    const joined = text && this.#ends.length > 0 && !isHead(part)
    const before = [...closing, ...(joined ? [] : this.#complete()), ...this.#release()]
    return [...before, ...(part.type === 'tool-call' ? this.#call(event, part) : this.#text(event))]
  }

  /** A message item is done when something else begins. */
  #complete(): Planned {
    const ends = this.#ends
    this.#ends = []
    this.#texts.clear()
    return ends.length === 0 ? [] : [['response.output_item.done', ends]]
  }

  #text({ index, part }: PartStartEvent): Planned {
    const at = partAt(index)
    if (part.cache !== undefined) this.#encoding.lose('cache-hint', below(at, 'cache'))
    if (part.signature !== undefined) this.#encoding.lose('foreign-signature', below(at, 'signature'))
    const kept = part.type === 'refusal' || hintsFor(part, SLOT)['emptyText'] === true
    const begun = kept ? this.#tell() : []
    const text = 'text' in part ? part.text : ''
    const type = part.type === 'refusal' ? 'refusal-delta' : 'text-delta'
    return [...begun, ...(text === '' ? [] : this.#piece({ type, index, text }))]
  }

  /** Opens the text that is to be told, in an item of its own or in that of the text before it. */
  #tell(): Planned {
    const open = this.#open
    if (open === undefined || open.told) return []
    open.told = true
    const { index, part } = open
    const joined = this.#ends.length > 0
    const opening: ChatEvent = { type: 'part-start', index, part: { ...part, text: '' } as AssistantPart }
    const item: Planned = [['response.output_item.added', [{ ...opening, index: -1 - index }]]]
    return [...(joined ? [] : item), ['response.content_part.added', [opening]]]
  }

  #call(event: PartStartEvent, part: ToolCallPart): Planned {
    const at = partAt(event.index)
    reportBare(part, at, this.#encoding)
    writeName(part.name, hintsFor(part, SLOT), toolNames, below(at, 'name'), this.#encoding) // reports a change
    const { arguments: _given, rawArguments: _raw, ...call } = part
    const custom = isCustom(part)
    const opening = { ...call, arguments: custom ? { input: '' } : {}, ...(!custom && { rawArguments: '' }) }
    const text = argumentsText(part)
    const told = text === '{}' ? '' : text
    const { invalidArguments: _error, ...opened } = opening
    const begun: Planned = [['response.output_item.added', [{ ...event, part: opened }]]]
    if (told === '' || (custom && told === '{"input":""}')) return begun
    return [...begun, ...this.#piece({ type: 'arguments-delta', index: event.index, json: told })]
  }

  #grow(event: ChatEvent & { readonly index: number }): Planned {
    const open = this.#open
    if (open === undefined || open.index !== event.index) {
      // The whole answer, which comes last, can correct what was told.
      if (event.type === 'part-end' && event.replaces === true) this.#corrections.set(event.index, event)
      return event.type === 'part-update' ? this.#late(event) : []
    }
    if (event.type === 'part-end') {
      open.whole.end(event)
      return this.#close(event)
    }
    if (event.type === 'part-update') open.whole.update(event)
    if (open.held) {
      if ('text' in event) open.whole.grow(event.text)
      else if (event.type === 'arguments-delta') open.whole.grow(event.json)
      else if (event.type === 'media-delta') open.whole.grow(event.data)
      return []
    }
    if (event.type === 'part-update') return []
    return 'text' in event || event.type === 'arguments-delta' ? this.#piece(event) : []
  }

  #piece(event: ChatEvent): Planned {
    const open = this.#open
    if (open === undefined) return []
    const { part, whole } = open
    if (event.type === 'arguments-delta') {
      if (event.json === '') return []
      whole.grow(event.json)
      open.told = true
      return [[`${callKind(part)}.delta`, [event]]]
    }
    if (!('text' in event) || event.text === '' || (part.type !== 'text' && part.type !== 'refusal'))
      return []
    whole.grow(event.text)
    return [...this.#tell(), [`${texts[part.type][0]}.delta`, [event]]]
  }

  /** An event for each citation of a text that can be said. */
  #cite(index: number, text: AssistantPart): Planned {
    if (text.type !== 'text') return []
    const { text: said, citations = [] } = text
    return citations.flatMap((citation, number): Planned => {
      const at = below(below(partAt(index), 'citations'), number)
      const made = encodeCitation(citation, said, at, this.#encoding)
      if (made === undefined) return []
      const own: ChatEvent = { type: 'part-update', index, citations: [stretched(citation, said)] }
      return [['response.output_text.annotation.added', [own]]]
    })
  }

  /** Citations of a text that has ended, which can be told while its item has not. */
  #late({ index, citations = [] }: PartUpdateEvent): Planned {
    const text = this.#texts.get(index)
    if (text?.type === 'text') return this.#cite(index, { ...text, citations })
    if (citations.length > 0) this.#encoding.lose('citations-dropped', below(partAt(index), 'citations'))
    return []
  }

  /** Ends the open part. */
  #close(event?: ChatEvent): Planned {
    const open = this.#open
    if (open === undefined) return []
    const { index, part, whole, held } = open
    // An empty text says nothing, unless it came like that: some formats know only at its end.
    const kept = !held && hintsFor(whole.whole(), SLOT)['emptyText'] === true ? this.#tell() : []
    this.#open = undefined
    if (held) return this.#hold(index, whole.whole())
    const end: ChatEvent = { type: 'part-end', index }
    const last = event?.type === 'part-end' && event.replaces === true ? event : end
    if (part.type === 'tool-call')
      return [...untold(open), [`${callKind(part)}.done`, [end]], ['response.output_item.done', [last]]]
    if (part.type !== 'text' && part.type !== 'refusal') return []
    const said = whole.whole()
    if (!open.told) {
      this.#encoding.lose('empty-text', partAt(index))
      return []
    }
    if (said.signature !== undefined && part.signature === undefined)
      this.#encoding.lose('foreign-signature', below(partAt(index), 'signature'))
    this.#ends.push(last)
    this.#texts.set(index, said)
    return [
      ...kept,
      ...this.#cite(index, said),
      [`${texts[part.type][0]}.done`, [end]],
      ['response.content_part.done', [end]],
    ]
  }

  /** Keeps a part that is whole for its item; only then it is known which item that is, and whether there is one. */
  #hold(index: number, part: AssistantPart): Planned {
    if (isForeign(part)) return [...this.#release(), ...this.#words(index, part)]
    const before = [...this.#complete(), ...(joinsItem(part, this.#held[0]?.part) ? [] : this.#release())]
    this.#content.push(part)
    this.#held.push({ index, part })
    return before
  }

  /** What this format has no item for is told in words. */
  #words(index: number, part: AssistantPart): Planned {
    const text = wordsFor(part, partAt(index), this.#encoding)
    if (typeof text !== 'string') return []
    const said = { type: 'text', text } as const
    this.#open = { index, part: said, whole: new OpenPart({ ...said, text: '' }), held: false, told: false }
    return [...this.#text({ type: 'part-start', index, part: said }), ...this.#close()]
  }

  /** The wire events of the item that was held back. */
  #release(): Planned {
    const held = this.#held
    this.#held = []
    const [first] = held
    if (first === undefined) return []
    const parts = held.map(({ part }) => part)
    const items = encodeRun(parts, partAt(first.index).parent, { side: 'response', encoding: this.#encoding })
    if (items.length === 0) return []
    const whole = held.map(({ index, part }): ChatEvent => ({ type: 'part-start', index, part }))
    const ends = held.map(({ index }): ChatEvent => ({ type: 'part-end', index }))
    const told = first.part.type === 'reasoning' ? held.flatMap(summaryEvents) : []
    return [
      [
        'response.output_item.added',
        whole.map((event) => ({ ...event, index: -1 - first.index }) as ChatEvent),
      ],
      ...told,
      ['response.output_item.done', [...whole, ...ends]],
    ]
  }

  #drop(candidate: number): Planned {
    if (!this.#dropped.has(candidate))
      this.#encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), candidate))
    this.#dropped.add(candidate)
    return []
  }
}
