import type { ChatEvent, PartStartEvent, PartUpdateEvent, StartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { getHints } from '../engine/residue-slots.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeFinish } from './response-metadata.ts'
import { encodeItems, createTextFallback } from './items.ts'
import { isItemStart } from './assistant-message.ts'
import {
  getCallEventType,
  addDate,
  endEventTypes,
  isCustomCallPart,
  isPlainCall,
  createPartPathAt,
  createEmptyPart,
  type PartInProgress,
  type WireEventPlan,
  planEmptyArguments,
  isUnsupportedPart,
  isSameItemPart,
  noContentEvent,
  addDefaultRange,
  planSummary,
  textEventTypes,
} from './stream-plan-rules.ts'
import { toStringOrEmpty } from '../shared/read-wire.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'

/** Which wire events say events of another format: items one after the other, each closed before the next. */
export class StreamPlan {
  readonly #context: EncodeContext
  readonly #dropped = new Set<number>()
  #open: PartInProgress | undefined
  /** Parts that are one item, whole; it goes out when no more can join it. */
  #heldParts: { readonly index: number; readonly part: AssistantPart }[] = []
  /** The ends of the texts that stand in a message item, which is done when no more can join it. */
  #heldEnds: ChatEvent[] = []
  #texts = new Map<number, AssistantPart>()
  #sentEvents: ChatEvent[] = []
  /** What was told otherwise, by its part. */
  readonly #corrections = new Map<number, ChatEvent>()
  #start: StartEvent | undefined
  #content: AssistantPart[] = []

  constructor(context: EncodeContext) {
    this.#context = context
  }

  plan(event: ChatEvent): WireEventPlan {
    const candidate = event.candidate ?? 0
    if (candidate !== 0) return this.#dropCandidate(candidate)
    if (event.type === 'start') {
      const before = this.#start === undefined ? [] : this.end()
      this.#start = event
      if (event.message?.name !== undefined)
        this.#context.report('message-name', child(child(child(undefined, 'candidates'), 0), 'name'))
      this.#sentEvents = []
      this.#content = []
      this.#corrections.clear()
      return [
        ...before,
        ['response.created', [addDate(event, this.#context.options.now ?? Date.now)]],
        ['response.in_progress', [noContentEvent]],
      ]
    }
    if (event.type === 'finish' || event.type === 'usage') {
      this.#sentEvents = [...this.#sentEvents.filter(({ type }) => type !== event.type), event]
      return []
    }
    if (!('index' in event)) return []
    return event.type === 'part-start' ? this.#begin(event) : this.#grow(event)
  }

  /** The wire events that end the stream. */
  end(): WireEventPlan {
    const closing = [...this.#close(), ...this.#complete(), ...this.#planHeldItem()]
    const finish = this.#sentEvents.find((event) => event.type === 'finish')?.finish
    // What was cut stays cut.
    if (finish === undefined)
      return this.#sentEvents.length === 0
        ? closing
        : [...closing, ['response.in_progress', this.#sentEvents]]
    const own = this.#start?.origin?.dialect === DIALECT_SLOT
    const short = getHints(this.#start?.message ?? {}, DIALECT_SLOT)['incompleteStatus'] === true
    const path = child(child(child(undefined, 'candidates'), 0), 'finish')
    const status = toStringOrEmpty(
      encodeFinish(
        { finish, content: this.#content, isOwnFormat: own, isIncomplete: short },
        path,
        this.#context,
      )['status'],
    )
    const { raw: _raw, ...plain } = finish
    const said = this.#sentEvents.map((event) =>
      event.type === 'finish' && !own ? { ...event, finish: plain } : event,
    )
    const last = [...this.#corrections.values(), ...said]
    return [...closing, [`response.${endEventTypes.get(status) ?? 'completed'}`, last]]
  }

  #begin(event: PartStartEvent): WireEventPlan {
    const { index, part } = event
    const closing = this.#close()
    const text = part.type === 'text' || part.type === 'refusal'
    const held = !text && (isUnsupportedPart(part) || !isPlainCall(part))
    this.#open = {
      index,
      part,
      whole: new PartAccumulator(text ? createEmptyPart(part) : part),
      isHeld: held,
      isOpened: false,
    }
    if (held) return closing
    this.#content.push(part)
    const joined = text && this.#heldEnds.length > 0 && !isItemStart(part)
    const before = [...closing, ...(joined ? [] : this.#complete()), ...this.#planHeldItem()]
    return [...before, ...(part.type === 'tool-call' ? this.#startCall(event, part) : this.#startText(event))]
  }

  /** A message item is done when something else begins. */
  #complete(): WireEventPlan {
    const ends = this.#heldEnds
    this.#heldEnds = []
    this.#texts.clear()
    return ends.length === 0 ? [] : [['response.output_item.done', ends]]
  }

  #startText({ index, part }: PartStartEvent): WireEventPlan {
    const path = createPartPathAt(index)
    if (part.cache !== undefined) this.#context.report('cache-hint', child(path, 'cache'))
    if (part.signature !== undefined) this.#context.report('foreign-signature', child(path, 'signature'))
    const kept = part.type === 'refusal' || getHints(part, DIALECT_SLOT)['emptyText'] === true
    const begun = kept ? this.#openText() : []
    const text = 'text' in part ? part.text : ''
    const type = part.type === 'refusal' ? 'refusal-delta' : 'text-delta'
    return [...begun, ...(text === '' ? [] : this.#planDelta({ type, index, text }))]
  }

  /** Opens the text that is to be told, in an item of its own or in that of the text before it. */
  #openText(): WireEventPlan {
    const open = this.#open
    if (open === undefined || open.isOpened) return []
    open.isOpened = true
    const { index, part } = open
    const joined = this.#heldEnds.length > 0
    const opening: ChatEvent = { type: 'part-start', index, part: { ...part, text: '' } as AssistantPart }
    const item: WireEventPlan = [['response.output_item.added', [{ ...opening, index: -1 - index }]]]
    return [...(joined ? [] : item), ['response.content_part.added', [opening]]]
  }

  #startCall(event: PartStartEvent, part: ToolCallPart): WireEventPlan {
    const path = createPartPathAt(event.index)
    reportUnsupportedFields(part, path, this.#context)
    encodeToolName(part.name, getHints(part, DIALECT_SLOT), toolNameRule, child(path, 'name'), this.#context) // reports a change
    const { arguments: _given, rawArguments: _raw, ...call } = part
    const custom = isCustomCallPart(part)
    const opening = { ...call, arguments: custom ? { input: '' } : {}, ...(!custom && { rawArguments: '' }) }
    const text = stringifyArguments(part)
    const told = text === '{}' ? '' : text
    const { invalidArguments: _error, ...opened } = opening
    const begun: WireEventPlan = [['response.output_item.added', [{ ...event, part: opened }]]]
    if (told === '' || (custom && told === '{"input":""}')) return begun
    return [...begun, ...this.#planDelta({ type: 'arguments-delta', index: event.index, json: told })]
  }

  #grow(event: ChatEvent & { readonly index: number }): WireEventPlan {
    const open = this.#open
    if (open === undefined || open.index !== event.index) {
      // The whole answer, which comes last, can correct what was told.
      if (event.type === 'part-end' && event.replaces === true) this.#corrections.set(event.index, event)
      return event.type === 'part-update' ? this.#planLateCitations(event) : []
    }
    if (event.type === 'part-end') {
      open.whole.end(event)
      return this.#close(event)
    }
    if (event.type === 'part-update') open.whole.update(event)
    if (open.isHeld) {
      if ('text' in event) open.whole.append(event.text)
      else if (event.type === 'arguments-delta') open.whole.append(event.json)
      else if (event.type === 'media-delta') open.whole.append(event.data)
      return []
    }
    if (event.type === 'part-update') return []
    return 'text' in event || event.type === 'arguments-delta' ? this.#planDelta(event) : []
  }

  #planDelta(event: ChatEvent): WireEventPlan {
    const open = this.#open
    if (open === undefined) return []
    const { part, whole } = open
    if (event.type === 'arguments-delta') {
      if (event.json === '') return []
      whole.append(event.json)
      open.isOpened = true
      return [[`${getCallEventType(part)}.delta`, [event]]]
    }
    if (!('text' in event) || event.text === '' || (part.type !== 'text' && part.type !== 'refusal'))
      return []
    whole.append(event.text)
    return [...this.#openText(), [`${textEventTypes[part.type][0]}.delta`, [event]]]
  }

  /** An event for each citation of a text that can be said. */
  #planCitations(index: number, text: AssistantPart): WireEventPlan {
    if (text.type !== 'text') return []
    const { text: said, citations = [] } = text
    return citations.flatMap((citation, number): WireEventPlan => {
      const path = child(child(createPartPathAt(index), 'citations'), number)
      const made = encodeCitation(citation, said, path, this.#context)
      if (made === undefined) return []
      const own: ChatEvent = { type: 'part-update', index, citations: [addDefaultRange(citation, said)] }
      return [['response.output_text.annotation.added', [own]]]
    })
  }

  /** Citations of a text that has ended, which can be told while its item has not. */
  #planLateCitations({ index, citations = [] }: PartUpdateEvent): WireEventPlan {
    const text = this.#texts.get(index)
    if (text?.type === 'text') return this.#planCitations(index, { ...text, citations })
    if (citations.length > 0)
      this.#context.report('citations-dropped', child(createPartPathAt(index), 'citations'))
    return []
  }

  /** Ends the open part. */
  #close(event?: ChatEvent): WireEventPlan {
    const open = this.#open
    if (open === undefined) return []
    const { index, part, whole, isHeld } = open
    // An empty text says nothing, unless it came like that: some formats know only at its end.
    const kept =
      !isHeld && getHints(whole.build(), DIALECT_SLOT)['emptyText'] === true ? this.#openText() : []
    this.#open = undefined
    if (isHeld) return this.#hold(index, whole.build())
    const end: ChatEvent = { type: 'part-end', index }
    const last = event?.type === 'part-end' && event.replaces === true ? event : end
    if (part.type === 'tool-call')
      return [
        ...planEmptyArguments(open),
        [`${getCallEventType(part)}.done`, [end]],
        ['response.output_item.done', [last]],
      ]
    if (part.type !== 'text' && part.type !== 'refusal') return []
    const said = whole.build()
    if (!open.isOpened) {
      this.#context.report('empty-text', createPartPathAt(index))
      return []
    }
    if (said.signature !== undefined && part.signature === undefined)
      this.#context.report('foreign-signature', child(createPartPathAt(index), 'signature'))
    this.#heldEnds.push(last)
    this.#texts.set(index, said)
    return [
      ...kept,
      ...this.#planCitations(index, said),
      [`${textEventTypes[part.type][0]}.done`, [end]],
      ['response.content_part.done', [end]],
    ]
  }

  /** Keeps a part that is whole for its item; only then it is known which item that is, and whether there is one. */
  #hold(index: number, part: AssistantPart): WireEventPlan {
    if (isUnsupportedPart(part)) return [...this.#planHeldItem(), ...this.#planTextFallback(index, part)]
    const before = [
      ...this.#complete(),
      ...(isSameItemPart(part, this.#heldParts[0]?.part) ? [] : this.#planHeldItem()),
    ]
    this.#content.push(part)
    this.#heldParts.push({ index, part })
    return before
  }

  /** What this format has no item for is told in words. */
  #planTextFallback(index: number, part: AssistantPart): WireEventPlan {
    const text = createTextFallback(part, createPartPathAt(index), this.#context)
    if (typeof text !== 'string') return []
    const said = { type: 'text', text } as const
    this.#open = {
      index,
      part: said,
      whole: new PartAccumulator({ ...said, text: '' }),
      isHeld: false,
      isOpened: false,
    }
    return [...this.#startText({ type: 'part-start', index, part: said }), ...this.#close()]
  }

  /** The wire events of the item that was held back. */
  #planHeldItem(): WireEventPlan {
    const held = this.#heldParts
    this.#heldParts = []
    const [first] = held
    if (first === undefined) return []
    const parts = held.map(({ part }) => part)
    const items = encodeItems(parts, createPartPathAt(first.index).parent, {
      bodyKind: 'response',
      context: this.#context,
    })
    if (items.length === 0) return []
    const whole = held.map(({ index, part }): ChatEvent => ({ type: 'part-start', index, part }))
    const ends = held.map(({ index }): ChatEvent => ({ type: 'part-end', index }))
    const told = first.part.type === 'reasoning' ? held.flatMap(planSummary) : []
    return [
      [
        'response.output_item.added',
        whole.map((event) => ({ ...event, index: -1 - first.index }) as ChatEvent),
      ],
      ...told,
      ['response.output_item.done', [...whole, ...ends]],
    ]
  }

  #dropCandidate(candidate: number): WireEventPlan {
    if (!this.#dropped.has(candidate))
      this.#context.report('candidates-dropped', child(child(undefined, 'candidates'), candidate))
    this.#dropped.add(candidate)
    return []
  }
}
