import type { LossRule } from '../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../canonical/model/message.ts'
import type {
  MediaPart,
  Part,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../canonical/model/part.ts'
import type { Path } from '../wire/pointer.ts'
import { inWords, isMedia, noResult, resultMessage, SHOWN, shownBelow } from './settle-words.ts'
import type { EngineHint } from './hints.ts'
import { hintsFor, type Slot, slotOf } from './unit.ts'
import { isOwnCall } from './shared/own-calls.ts'

/** A message to be written, and where it stands in the request. */
export interface Placed {
  readonly message: Message
  readonly at: Path | undefined
}

/** What is wrong: a rule, and where it acts. */
type Act = (rule: LossRule, unit: { readonly message: number; readonly part?: number }) => void

/** A call without a result so far. */
interface Open {
  readonly call: ToolCallPart
  readonly message: number
  readonly part: number
  /** The id under which it goes out. */
  readonly id: string
}

/** Whether a result cannot hold a part of it that the user can show. */
export type Shows = (part: MediaPart, result: ToolResultPart) => boolean

/** A message of the conversation as it can be written, and its position there. */
export interface Settled {
  readonly message: Message
  readonly index: number
  /** Where its parts stood, for one that is not what it was. */
  readonly positions?: readonly number[]
}

/** A round of results as it can be written. */
interface Sorted {
  readonly round: Settled
  /** What is told in words. */
  readonly told?: Settled
}

/**
 * Puts calls and results in the order that providers ask for, one message at a time and looking only at what came before,
 * so that a conversation that grows stays as it was written. While calls wait for their results, what others say is held
 * back; when the model speaks again, the calls that still wait get a result that says so.
 */
export class Settler {
  readonly #slot: Slot<EngineHint>
  readonly #act: Act
  /** How often each id was used. */
  readonly #uses: Map<string, number>
  /** Calls that wait, by the id that they came with; the first of an id is answered first. */
  #open = new Map<string, Open[]>()
  /** How many of them there are. */
  #waiting = 0
  #held: Settled[] = []
  /** What results showed, for the user to show when all of them are there. */
  #shown: Settled[] = []
  readonly #shows: Shows

  constructor(slot: string, act: Act, shows: Shows = () => false, uses: Map<string, number> = new Map()) {
    this.#slot = slotOf(slot)
    this.#act = act
    this.#shows = shows
    this.#uses = uses
  }

  /** Another that stands where this one does, to be settled and thrown away; it takes no further answers. */
  fork(act: Act): Settler {
    const other = new Settler(this.#slot, act, this.#shows, this.#uses)
    for (const [id, waiting] of this.#open) other.#open.set(id, [...waiting])
    other.#waiting = this.#waiting
    other.#held = [...this.#held]
    other.#shown = [...this.#shown]
    return other
  }

  /** The messages that can be written now that this one came. */
  add(message: Message, index: number): readonly Settled[] {
    if (message.role === 'assistant') {
      const before = this.settle()
      const answer = this.#answer(message, index)
      return before.length === 0 ? answer : [...before, ...answer]
    }
    if (message.role === 'tool') return this.#round(message, index)
    if (this.#waiting === 0 || this.#isOdd(message)) return [{ message, index }]
    this.#held.push({ message, index })
    return []
  }

  /** What must be written before the model speaks, or at the end: results for calls that wait, then what was held back. */
  settle(): readonly Settled[] {
    if (this.#waiting === 0 && this.#held.length === 0) return []
    const waiting = [...this.#open.values()].flat().filter(({ call }) => !this.#isOdd(call))
    this.#open = new Map()
    this.#waiting = 0
    const held = this.#release()
    if (waiting.length === 0) return held
    for (const { message, part } of waiting) this.#act('orphan-call', { message, part })
    const made = resultMessage(waiting.map(({ call, id }) => noResult(call, id)))
    const positions = waiting.map(({ part }) => part)
    return [{ message: made, index: waiting[0]?.message ?? 0, positions }, ...held]
  }

  #answer(message: AssistantMessage, index: number): readonly Settled[] {
    const { content } = message
    if (!content.some(({ type }) => type === 'tool-call' || type === 'tool-result'))
      return [{ message, index }]
    const said = content.map((part, at) => (isOwnCall(part) ? this.#begin(part, index, at) : part))
    const leaving = new Map<number, ToolResultPart>()
    said.forEach((part, at) => {
      if (part.type === 'tool-result' && this.#isMisplaced(part, index, at)) leaving.set(at, part)
    })
    if (leaving.size === 0) return [placed(message, said, index)]
    const stays = [...said.keys()].filter((at) => !leaving.has(at))
    const kept = { ...message, content: said.filter((_part, at) => !leaving.has(at)) }
    const rounds = this.#round(resultMessage([...leaving.values()]), index, [...leaving.keys()])
    return [{ message: kept, index, positions: stays }, ...rounds]
  }

  /** The call under an id that no call before it has. */
  #begin(call: ToolCallPart, message: number, part: number): ToolCallPart {
    const again = this.#uses.has(call.id) && !this.#isOdd(call)
    const id = again ? this.#freeId(call.id) : call.id
    if (again) this.#act('duplicate-call-id', { message, part })
    this.#uses.set(id, this.#uses.get(id) ?? 1)
    const waiting = this.#open.get(call.id) ?? []
    waiting.push({ call, message, part, id })
    this.#waiting += 1
    this.#open.set(call.id, waiting)
    return again ? { ...call, id } : call
  }

  #freeId(id: string): string {
    let uses = this.#uses.get(id) ?? 1
    do uses += 1
    while (this.#uses.has(`${id}_${uses}`))
    this.#uses.set(id, uses)
    return `${id}_${uses}`
  }

  /** A result among the words of the answer whose call the application runs. */
  #isMisplaced(part: ToolResultPart, message: number, at: number): boolean {
    if (!this.#open.has(part.callId)) return false
    if (this.#isOdd(part)) {
      this.#take(part.callId)
      return false
    }
    this.#act('misplaced-result', { message, part: at })
    return true
  }

  /** A round of results: those that a call waits for go out now; the others are told in words. */
  #round(message: ToolMessage, index: number, stood?: readonly number[]): readonly Settled[] {
    const waiting = this.#waiting
    const { round, told } = this.#sort(message, index, stood)
    const answers = this.#waiting < waiting
    for (const { index: between } of answers ? this.#held : []) this.#act('late-result', { message: between })
    const now = answers || this.#isOdd(message)
    if (!now && (round.message.content.length > 0 || told === undefined)) this.#held.push(round)
    if (told !== undefined) this.#held.push(told)
    const held = this.#waiting === 0 ? this.#release() : []
    return now ? [round, ...held] : held
  }

  /** What can be said now that no call waits. */
  #release(): readonly Settled[] {
    return [...this.#shown.splice(0), ...this.#held.splice(0)]
  }

  /** What of a round stays results, and what is told in words. */
  #sort(message: ToolMessage, index: number, stood?: readonly number[]): Sorted {
    const { id, name, content } = message
    const at = (position: number): number => stood?.[position] ?? position
    const results = content.map((part, position) =>
      part.type === 'tool-result' ? this.#answered(part, id, index, at(position)) : part,
    )
    if (isWhole(results)) return { round: placed(message, results, index, stood) }
    const kept = results.filter((part) => part !== undefined)
    const keptAt = [...results.keys()].filter((position) => results[position] !== undefined).map(at)
    const words = content.flatMap((part, position) => {
      if (part.type !== 'tool-result' || results[position] !== undefined) return []
      this.#act('orphan-result', { message: index, part: at(position) })
      return inWords(part).map((word) => ({ word, at: at(position) }))
    })
    const spoken = words.map(({ word }) => word)
    const named = kept.length === 0 && name !== undefined ? { name } : {}
    const told: UserMessage = { id, role: 'user', content: spoken, ...named }
    return {
      round: placed(message, kept, index, keptAt),
      told: { message: told, index, positions: words.map((each) => each.at) },
    }
  }

  /** A result as its call knows it; undefined for one that no call waits for. */
  #answered(part: ToolResultPart, id: string, index: number, at: number): ToolResultPart | undefined {
    const open = this.#take(part.callId)
    if (open === undefined) return this.#isOdd(part) ? part : undefined
    const result = open.id === part.callId ? part : { ...part, callId: open.id }
    return this.#apart(result, id, index, at)
  }

  /** A result without what only the user can show, which is said after the round. */
  #apart(result: ToolResultPart, id: string, index: number, at: number): ToolResultPart {
    const shows = (part: ToolResultContent): part is MediaPart => isMedia(part) && this.#shows(part, result)
    const media = result.content.filter(shows)
    if (media.length === 0) return result
    this.#act('media-after', { message: index, part: at })
    const content: readonly UserPart[] = [{ type: 'text', text: SHOWN }, ...media]
    this.#shown.push({ message: { id, role: 'user', content }, index, positions: content.map(() => at) })
    return { ...result, content: result.content.map((part) => (shows(part) ? shownBelow(part) : part)) }
  }

  /** The call that a result of this id answers; it waits no longer. */
  #take(callId: string): Open | undefined {
    const waiting = this.#open.get(callId)
    const open = waiting?.shift()
    if (waiting?.length === 0) this.#open.delete(callId)
    if (open !== undefined) this.#waiting -= 1
    return open
  }

  #isOdd(unit: Part | Message): boolean {
    return hintsFor(unit, this.#slot)['preserveInvalid'] === true
  }
}

/** A message with its content as it can be written: the very same one where nothing changed. */
function placed<T extends AssistantMessage | ToolMessage>(
  message: T,
  content: T['content'],
  index: number,
  positions?: readonly number[],
): Settled {
  const same =
    content.length === message.content.length && content.every((part, at) => part === message.content[at])
  const settled = same ? message : ({ ...message, content } as T)
  return positions === undefined ? { message: settled, index } : { message: settled, index, positions }
}

function isWhole<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined)
}
