import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isEmptyObject, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { resolveStreamLimits } from '../../wire/stream-limits.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { addHints } from '../engine/residue-slots.ts'
import { createCallIdGenerator, createCallIdHint } from './call-ids.ts'
import { type CallReadContext, StreamCallReader } from './stream-call-reader.ts'
import { assertArgumentsLength } from './tool-arguments.ts'
import { createToolNameHint, readToolName, restoreToolName } from './tool-names.ts'

/** The open part. Parts other than calls are streamed one after the other. */
interface OpenPart {
  readonly field: string
  readonly index: number
  /** Returns what the end of the part adds to its deltas. */
  readonly getEndFields?: () => Pick<PartEndEvent, 'part'>
}

/**
 * Adds a piece of a name. Some hosts send names in pieces (continuedev/continue#5849: "edit_ex", "isting_file"), others repeat
 * the name in each fragment (NousResearch/hermes-agent#11984), complete or as far as it has arrived.
 */
function joinName(name: string, piece: string): string {
  return piece.startsWith(name) ? piece : name + piece
}

/** The fragments of a call whose name has not arrived. */
interface NamelessCall {
  readonly id: string | undefined
  readonly kind: string | undefined
  readonly text: string | undefined
}

/**
 * Reads one candidate of a stream whose chunks have `choices` with a `delta`. It tracks the open part, the calls and the next
 * index; a dialect reads the content of its deltas.
 */
export abstract class ChatCandidateReader {
  readonly #candidate: number
  readonly #context: CallReadContext
  readonly #ids = createCallIdGenerator()
  readonly #calls = new Map<string, StreamCallReader>()
  /** Calls whose arguments are complete, but whose end event is delayed. */
  readonly #completeCalls: StreamCallReader[] = []
  /** The call for which each index was last used. */
  readonly #byIndex = new Map<number, { readonly key: string; readonly id?: string }>()
  /** The names on the wire, as far as they have arrived. */
  readonly #wireNames = new Map<string, string>()
  /** The calls that have no name yet: some hosts send it after the first fragment (vercel/ai#14722, vercel/ai#16507). */
  readonly #nameless = new Map<string, NamelessCall>()
  /** The keys of calls that have a provisional id. */
  readonly #provisional = new Set<string>()
  #latest: string | undefined
  #parts = 0
  #open: OpenPart | undefined

  constructor(candidate: number, context: CallReadContext) {
    this.#candidate = candidate
    this.#context = context
  }

  /** Reads the content of a delta. */
  protected abstract readDelta(delta: JsonObject): readonly ChatEvent[]

  /** Decodes a finish reason; `hasCalls` is true if the candidate has called tools. */
  protected abstract decodeFinish(raw: Json | undefined, hasCalls: boolean): Finish | undefined

  /** Returns a call with the hints for its form, if the dialect has several forms of calls. */
  protected prepareCall(call: ToolCallPart, _kind: string | undefined): ToolCallPart {
    return call
  }

  read(delta: JsonObject): readonly ChatEvent[] {
    return this.#setCandidate(this.readDelta(delta))
  }

  /** Ends the candidate if `raw` is a finish reason. */
  finish(raw: Json | undefined): readonly ChatEvent[] {
    const finish = this.decodeFinish(raw, this.#calls.size + this.#nameless.size > 0)
    return finish === undefined ? [] : [...this.close(), ...this.#setCandidate([{ type: 'finish', finish }])]
  }

  /** Ends every part. */
  close(): readonly ChatEvent[] {
    const unnamed = [...this.#nameless.keys()].flatMap((key) => this.#readNamed(key, 'unknown'))
    const ends = [...this.#calls.values()].flatMap((call) => call.end())
    return this.#setCandidate([...this.endOpen(), ...unnamed, ...ends])
  }

  #setCandidate(events: readonly ChatEvent[]): readonly ChatEvent[] {
    return this.#candidate === 0 ? events : events.map((event) => ({ ...event, candidate: this.#candidate }))
  }

  /** The open part, if it is read from a field. */
  protected get open(): OpenPart | undefined {
    return this.#open
  }

  /** Ends the open part. */
  protected endOpen(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index, getEndFields } = this.#open
    this.#open = undefined
    return [{ type: 'part-end', index, ...getEndFields?.() }]
  }

  /** Opens a part. Incomplete calls stay open, since some hosts alternate between calls. */
  protected begin(part: AssistantPart, open?: Omit<OpenPart, 'index'>): ChatEvent[] {
    const ended = this.endOpen()
    for (const call of this.#completeCalls.splice(0)) if (!call.isEnded) pushAll(ended, call.end())
    const index = this.#parts++
    if (open !== undefined) this.#open = { ...open, index }
    return [...ended, { type: 'part-start', index, part }]
  }

  /** Adds a part that is complete. */
  protected addComplete(part: AssistantPart): ChatEvent[] {
    return [...this.begin(part, { field: '' }), ...this.endOpen()]
  }

  /** Adds text to the open part, or opens a part. */
  protected readText(type: 'text' | 'refusal', text: Json | undefined): ChatEvent[] {
    if (typeof text !== 'string' || text === '') return []
    if (this.#open?.field === type) return [{ type: `${type}-delta`, index: this.#open.index, text }]
    const opened = this.begin({ type, text: '' }, { field: type })
    return [...opened, { type: `${type}-delta`, index: this.#open?.index ?? 0, text }]
  }

  /** Reads a fragment of `tool_calls`. */
  protected readCall(wire: JsonObject): ChatEvent[] {
    const { id, index, function: called, custom } = wire
    const body = isObject(called) ? called : isObject(custom) ? custom : {}
    const own = typeof id === 'string' && id !== '' ? id : undefined
    const key = this.#findCallKey(index, own, readToolName(body))
    return this.readCallFragment(key, own, body, body === custom ? 'custom' : undefined)
  }

  /** Reads a fragment of a call: it opens the call or adds to its arguments. */
  protected readCallFragment(
    key: string,
    id: string | undefined,
    body: JsonObject,
    kind?: string,
  ): ChatEvent[] {
    const name = readToolName(body)
    const input = body['arguments'] ?? body['input']
    // Some hosts send the arguments as an object, all at once.
    const value = isObject(input) ? JSON.stringify(input) : input
    const text = typeof value === 'string' ? value : undefined
    const known = this.#calls.get(key)
    if (known === undefined) return this.#readNewCall(key, name, { id, kind, text })
    if (name !== undefined) this.#growName(key, name, known)
    if (id !== undefined && this.#provisional.delete(key)) known.replaceId(id)
    return text === undefined ? [] : this.#append(known, text)
  }

  #growName(key: string, piece: string, call: StreamCallReader): void {
    const name = joinName(this.#wireNames.get(key) ?? '', piece)
    this.#wireNames.set(key, name)
    call.rename(this.#context.renamedTools.get(name) ?? name)
  }

  /** Opens a call, or keeps its fragment until its name arrives. */
  #readNewCall(key: string, name: string | undefined, { id, kind, text }: NamelessCall): ChatEvent[] {
    const before = this.#nameless.get(key)
    const joined = before?.text === undefined ? text : before.text + (text ?? '')
    assertArgumentsLength(joined?.length ?? 0, resolveStreamLimits(this.#context.limits).maxArgumentsChars)
    this.#nameless.set(key, { id: before?.id ?? id, kind: before?.kind ?? kind, text: joined })
    this.#latest = key
    return name === undefined ? [] : this.#readNamed(key, name)
  }

  #readNamed(key: string, name: string): ChatEvent[] {
    const { id, kind, text } = this.#nameless.get(key) ?? {}
    this.#nameless.delete(key)
    this.#wireNames.set(key, name)
    const { call, opened } = this.#beginCall(key, id, name, kind)
    return text === undefined ? opened : [...opened, ...this.#append(call, text)]
  }

  #append(call: StreamCallReader, text: string): ChatEvent[] {
    const wasComplete = call.isComplete
    const grown = call.append(text)
    if (call.isComplete && !wasComplete) this.#completeCalls.push(call)
    return grown
  }

  /**
   * Returns the key of the call that a fragment belongs to. With an index: the call of that index, unless the
   * id is that of another call (some hosts reuse an index). Without an index: the call of the id, a new call
   * if the fragment has a name, else the latest call. Two calls may have the same id: a fragment with a new
   * index and a name opens a further call.
   */
  #findCallKey(index: Json | undefined, id: string | undefined, name: string | undefined): string {
    const byId = id === undefined ? undefined : `id ${id}`
    const latest = this.#latest ?? 'first'
    if (typeof index !== 'number') {
      const isLateId = name === undefined && this.#provisional.has(latest)
      if (name !== undefined && this.#nameless.has(latest)) return latest
      return (isLateId ? undefined : byId) ?? (name === undefined ? latest : `part ${this.#parts}`)
    }
    const before = this.#byIndex.get(index)
    const isSameCall = id === undefined || before?.id === undefined || before.id === id
    if (before !== undefined && isSameCall) {
      if (id !== undefined) this.#byIndex.set(index, { key: before.key, id })
      return before.key
    }
    const isIdTaken = byId !== undefined && this.#calls.has(byId) && name !== undefined
    const key = byId === undefined || isIdTaken ? `index ${index} ${id ?? ''}` : byId
    this.#byIndex.set(index, { key, ...(id !== undefined && { id }) })
    return key
  }

  #beginCall(
    key: string,
    id: string | undefined,
    name: string,
    kind: string | undefined,
  ): { readonly call: StreamCallReader; readonly opened: ChatEvent[] } {
    const { renamedTools, format } = this.#context
    const { slot, callIdRule, toolNameRule } = format
    const hints = {
      ...(id !== undefined && createCallIdHint(id, callIdRule)),
      ...createToolNameHint(name, toolNameRule),
    }
    const callId = id ?? this.#ids.next(name, String(this.#parts))
    const part = this.prepareCall({ type: 'tool-call', id: callId, name, arguments: {} }, kind)
    const hinted = isEmptyObject(hints) ? part : addHints(part, slot, hints)
    const restored = restoreToolName(hinted, renamedTools, slot)
    const opened = this.begin(restored)
    const call = new StreamCallReader(this.#parts - 1, restored, kind === 'custom', this.#context)
    this.#calls.set(key, call)
    if (id === undefined) this.#provisional.add(key)
    return { call, opened }
  }
}
