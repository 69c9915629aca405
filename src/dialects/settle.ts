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
import { hintsFor } from './unit.ts'

/** A message to be written, and where it stands in the request. */
export interface Placed {
  readonly message: Message
  readonly at: Path | undefined
}

/** The hint of something that came like this, and stays like this in its own format. */
export const ODD = 'odd'

/** What is wrong: a rule, and where it acts. */
type Act = (rule: string, unit: { readonly message: number; readonly part?: number }) => void

/** A call without a result so far. */
interface Open {
  readonly call: ToolCallPart
  readonly message: number
  readonly part: number
  /** The id under which it goes out. */
  readonly id: string
}

/** A part of a round that stays a result, or is told in words; and what of it the user shows after the round. */
interface Sorted {
  readonly kept?: ToolMessage['content'][number]
  readonly told?: readonly UserPart[]
  readonly shown?: readonly UserPart[]
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

/**
 * Puts calls and results in the order that providers ask for, one message at a time and looking only at what came before,
 * so that a conversation that grows stays as it was written. While calls wait for their results, what others say is held
 * back; when the model speaks again, the calls that still wait get a result that says so.
 */
export class Settler {
  readonly #slot: string
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
    this.#slot = slot
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
    if (message.role === 'assistant') return [...this.settle(), ...this.#answer(message, index)]
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
    const said = content.map((part, at) => (isCall(part) ? this.#begin(part, index, at) : part))
    const leaving = new Set([...said.keys()].filter((at) => this.#isMisplaced(said[at], index, at)))
    if (leaving.size === 0) {
      const same = said.every((part, at) => part === content[at])
      return [{ message: same ? message : { ...message, content: said }, index }]
    }
    const stays = [...said.keys()].filter((at) => !leaving.has(at))
    const kept = { ...message, content: said.filter((_part, at) => !leaving.has(at)) }
    const results = said.filter((_part, at) =>
      leaving.has(at),
    ) as readonly Part[] as readonly ToolResultPart[]
    const rounds = this.#round(resultMessage(results), index, [...leaving])
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
  #isMisplaced(part: Part | undefined, message: number, at: number): boolean {
    if (part?.type !== 'tool-result' || !this.#open.has(part.callId)) return false
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
    const content: ToolMessage['content'][number][] = []
    const words: UserPart[] = []
    const keptAt: number[] = []
    const toldAt: number[] = []
    for (const [number, part] of message.content.entries()) {
      const at = stood?.[number] ?? number
      const { kept, told = [], shown = [] } = this.#sort(part, index, at)
      if (kept !== undefined) {
        content.push(kept)
        keptAt.push(at)
      }
      for (const word of told) {
        words.push(word)
        toldAt.push(at)
      }
      if (shown.length > 0)
        this.#shown.push({
          message: { id: message.id, role: 'user', content: shown },
          index,
          positions: shown.map(() => at),
        })
    }
    const round = { message: withContent(message, content), index, positions: keptAt }
    const named = content.length === 0 && message.name !== undefined ? { name: message.name } : {}
    const told: UserMessage = { id: message.id, role: 'user', content: words, ...named }
    const spoken = words.length === 0 ? [] : [{ message: told, index, positions: toldAt }]
    const answers = this.#waiting < waiting
    for (const { index: between } of answers ? this.#held : []) this.#act('late-result', { message: between })
    const now = answers || this.#isOdd(message)
    if (!now && (content.length > 0 || words.length === 0)) this.#held.push(round)
    this.#held.push(...spoken)
    const held = this.#waiting === 0 ? this.#release() : []
    return now ? [round, ...held] : held
  }

  /** What can be said now that no call waits. */
  #release(): readonly Settled[] {
    return [...this.#shown.splice(0), ...this.#held.splice(0)]
  }

  /** What becomes of a part of a round. */
  #sort(part: ToolMessage['content'][number], message: number, at: number): Sorted {
    if (part.type !== 'tool-result') return { kept: part }
    const open = this.#take(part.callId)
    if (open === undefined && this.#isOdd(part)) return { kept: part }
    if (open !== undefined) {
      const kept = open.id === part.callId ? part : { ...part, callId: open.id }
      return this.#apart(kept, message, at)
    }
    this.#act('orphan-result', { message, part: at })
    return { told: inWords(part) }
  }

  /** A result, and what of it only the user can show. */
  #apart(result: ToolResultPart, message: number, at: number): Sorted {
    const shows = (part: ToolResultContent): part is MediaPart => isMedia(part) && this.#shows(part, result)
    const shown = result.content.filter(shows)
    if (shown.length === 0) return { kept: result }
    this.#act('media-after', { message, part: at })
    const content = result.content.map((part) => (shows(part) ? shownBelow(part) : part))
    return { kept: { ...result, content }, shown: [{ type: 'text', text: SHOWN }, ...shown] }
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
    return hintsFor(unit, this.#slot)[ODD] === true
  }
}

/** The very same message where its content is. */
function withContent(message: ToolMessage, content: ToolMessage['content']): ToolMessage {
  const same =
    content.length === message.content.length && content.every((part, at) => part === message.content[at])
  return same ? message : { ...message, content }
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.executedBy === undefined
}
