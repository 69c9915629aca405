import type { ChatEvent } from '../../canonical/model/event.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import { createPartPath, type PartEvent } from './parts-being-written.ts'

/** A call of a hosted tool with its result, as parts of another format. */
type HostedPair = readonly [call: ToolCallPart, result: ToolResultPart]

/** Converts a call that another provider ran, with its result, to the parts of a dialect; undefined if it has no counterpart. */
export type HostedPairConverter = (call: ToolCallPart, result: ToolResultPart) => HostedPair | undefined

/** Converts the calls and results of hosted tools in a complete answer to those of the dialect. Reports each pair. */
export function convertHostedAnswers(
  response: ChatResponse,
  slot: string,
  convert: HostedPairConverter | undefined,
  context: EncodeContext,
): ChatResponse {
  if (convert === undefined || !response.candidates.some(({ content }) => content.some(isHostedCall)))
    return response
  const candidates = response.candidates.map((message, index) => {
    const path = child(child(child(undefined, 'candidates'), index), 'content')
    return { ...message, content: convertContent(message.content, slot, convert, path, context) }
  })
  return { ...response, candidates }
}

function convertContent(
  content: readonly AssistantPart[],
  slot: string,
  convert: HostedPairConverter,
  path: Path,
  context: EncodeContext,
): readonly AssistantPart[] {
  const converted = [...content]
  for (const [index, call] of content.entries()) {
    const result = content[index + 1]
    if (!isForeignCall(call, slot) || !isResultOf(result, call)) continue
    const pair = convert(call, result)
    if (pair === undefined) continue
    context.report('hosted-tool', child(path, index))
    context.report('hosted-tool', child(path, index + 1))
    converted.splice(index, 2, ...pair)
  }
  return converted
}

function isHostedCall(part: AssistantPart): part is ToolCallPart {
  return part.type === 'tool-call' && part.executedBy === 'provider'
}

/** Returns true for a call that was not received in this dialect. */
function isForeignCall(part: AssistantPart, slot: string): part is ToolCallPart {
  return isHostedCall(part) && part.extra?.[slot] === undefined
}

function isResultOf(part: AssistantPart | undefined, call: ToolCallPart): part is ToolResultPart {
  return part?.type === 'tool-result' && part.callId === call.id
}

/** A part whose events are held until it is complete. */
interface HeldPart {
  readonly events: ChatEvent[]
  readonly part: PartAccumulator
  readonly key: string
  isEnded: boolean
}

/** Converts the calls and results of hosted tools in a stream: a call is held until its result is complete. */
export class HostedEventConverter {
  readonly #slot: string
  readonly #convert: HostedPairConverter | undefined
  readonly #context: EncodeContext
  #call: HeldPart | undefined
  #result: HeldPart | undefined

  constructor(slot: string, convert: HostedPairConverter | undefined, context: EncodeContext) {
    this.#slot = slot
    this.#convert = convert
    this.#context = context
  }

  /** Returns true if an event is written as it is. */
  isIdle(event: ChatEvent): boolean {
    if (this.#convert === undefined) return true
    return this.#call === undefined && !(event.type === 'part-start' && isForeignCall(event.part, this.#slot))
  }

  /** Returns the events to write after an event arrived. */
  push(event: ChatEvent): readonly ChatEvent[] {
    if (this.isIdle(event)) return [event]
    const held = 'index' in event ? this.#findHeld(event) : undefined
    if (held !== undefined && 'index' in event) return this.#hold(held, event)
    if (event.type !== 'part-start') {
      // Counts and metadata may arrive between a call and its result.
      const isBetween = !('index' in event) && event.type !== 'finish' && event.type !== 'error'
      return isBetween ? [event] : [...this.end(), event]
    }
    const call = this.#call?.part.build()
    const isResult =
      this.#call?.isEnded === true && call?.type === 'tool-call' && isResultOf(event.part, call)
    if (isResult) {
      this.#result = createHeldPart(event)
      return []
    }
    const before = this.end()
    if (!isForeignCall(event.part, this.#slot)) return [...before, event]
    this.#call = createHeldPart(event)
    return before
  }

  /** Returns the events that are still held. */
  end(): readonly ChatEvent[] {
    const events = [...(this.#call?.events ?? []), ...(this.#result?.events ?? [])]
    this.#call = undefined
    this.#result = undefined
    return events
  }

  #findHeld(event: PartEvent): HeldPart | undefined {
    const key = createKey(event)
    return [this.#call, this.#result].find((held) => held?.key === key && !held.isEnded)
  }

  #hold(held: HeldPart, event: PartEvent): readonly ChatEvent[] {
    held.events.push(event)
    if (event.type === 'part-update') held.part.update(event)
    else if (event.type === 'part-end') held.part.end(event)
    else if (event.type !== 'part-start')
      held.part.append('text' in event ? event.text : 'json' in event ? event.json : event.data)
    if (event.type === 'part-end') held.isEnded = true
    return held.isEnded && held === this.#result ? this.#convertPair() : []
  }

  #convertPair(): readonly ChatEvent[] {
    const [call, result] = [this.#call?.part.build(), this.#result?.part.build()]
    const starts = [this.#call?.events[0], this.#result?.events[0]]
    const pair =
      call?.type === 'tool-call' && result?.type === 'tool-result' ? this.#convert?.(call, result) : undefined
    if (pair === undefined) return this.end()
    this.end()
    return starts.flatMap((start, index): readonly ChatEvent[] => {
      const part = pair[index]
      if (start?.type !== 'part-start' || part === undefined) return []
      this.#context.report('hosted-tool', createPartPath(start))
      const { extra: _frame, ...position } = start
      const { part: _part, type: _type, ...fields } = position
      return [
        { type: 'part-start', ...fields, part },
        { type: 'part-end', ...fields },
      ]
    })
  }
}

function createKey({ candidate = 0, index }: PartEvent): string {
  return `${candidate} ${index}`
}

function createHeldPart(event: PartEvent & { readonly type: 'part-start' }): HeldPart {
  return { events: [event], part: new PartAccumulator(event.part), key: createKey(event), isEnded: false }
}
