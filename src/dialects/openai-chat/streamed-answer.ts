import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import { append } from '../shared/append.ts'
import { callIds } from '../shared/call-ids.ts'
import { idHint } from '../shared/ids.ts'
import { type GivenNames, nameHint, underOwnName } from '../shared/names.ts'
import type { Restoring } from '../shared/restored.ts'
import { withHints } from '../unit.ts'
import { decodeCitations } from './citations.ts'
import { decodeAudio } from './audio.ts'
import { idRule, RESPONSE, SLOT, toolNames } from './codes.ts'
import { decodeParts } from './parts.ts'
import { finishFor } from './finish.ts'
import { StreamedCall } from './streamed-call.ts'
import { readThoughts, type Thought } from './streamed-thoughts.ts'

type Wire = { readonly [key: string]: Json }

/** A sound as far as it came. */
interface Sound {
  readonly pieces: string[]
  wire: JsonObject
}

/** The part that grows: at most one beside the calls, since this format tells them one after the other. */
interface Open {
  readonly field: string
  readonly index: number
  readonly sound?: Sound
}

/** What the answers of a stream share: how calls are told, and how much may come. */
export interface AnswerReading {
  readonly names: GivenNames
  readonly restored: Restoring
  readonly limits: StreamLimits | undefined
}

/** One answer of a stream: which parts are open, and where the next one goes. */
export class StreamedAnswer {
  readonly #number: number
  readonly #reading: AnswerReading
  readonly #ids = callIds()
  readonly #calls = new Map<string, StreamedCall>()
  /** Calls that are whole, and not yet said to have ended. */
  readonly #complete: StreamedCall[] = []
  /** Which call an index was last used for. */
  readonly #byIndex = new Map<number, { readonly key: string; readonly id?: string }>()
  #latest: string | undefined
  #parts = 0
  #open: Open | undefined

  constructor(number: number, reading: AnswerReading) {
    this.#number = number
    this.#reading = reading
  }

  #own(events: ChatEvent[]): ChatEvent[] {
    return this.#number === 0 ? events : events.map((event) => ({ ...event, candidate: this.#number }))
  }

  /** Ends every part. */
  close(): ChatEvent[] {
    return this.#own([...this.#endOpen(), ...[...this.#calls.values()].flatMap((call) => call.end())])
  }

  #endOpen(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index, sound } = this.#open
    this.#open = undefined
    return [{ type: 'part-end', index, ...(sound && endOf(sound)) }]
  }

  /** Opens a part; calls that are not whole stay open, since some hosts tell several of them by turns. */
  #begin(part: AssistantPart, open?: Omit<Open, 'index'>): ChatEvent[] {
    const ended = this.#endOpen()
    for (const call of this.#complete.splice(0)) if (!call.ended) append(ended, call.end())
    const index = this.#parts++
    if (open !== undefined) this.#open = { ...open, index }
    return [...ended, { type: 'part-start', index, part }]
  }

  read(delta: Wire): ChatEvent[] {
    const { content, refusal, tool_calls: calls, function_call: legacy, audio, annotations } = delta
    const events: ChatEvent[] = []
    for (const thought of readThoughts(delta)) append(events, this.#thought(thought))
    if (Array.isArray(content)) append(events, this.#listed(content))
    else if (isText(content)) append(events, this.#text('text', content, 'content'))
    if (Array.isArray(annotations)) append(events, this.#cited(annotations))
    if (isText(refusal)) append(events, this.#text('refusal', refusal, 'refusal'))
    if (isObject(audio)) append(events, this.#sound(audio))
    if (Array.isArray(calls))
      for (const call of calls.filter(isObject)) append(events, this.#call(call as Wire))
    if (isObject(legacy)) append(events, this.#fragment('function_call', undefined, legacy, 'function_call'))
    return this.#own(events)
  }

  /** More text of a kind, in the open part or a new one. */
  #text(type: 'text' | 'refusal', text: string, field: string): ChatEvent[] {
    if (text === '') return []
    const begun = this.#open?.field === field ? [] : this.#begin({ type, text: '' }, { field })
    return [...begun, { type: `${type}-delta`, index: this.#open?.index ?? 0, text }]
  }

  #thought({ key, part, text, signature }: Thought): ChatEvent[] {
    const begun = this.#open?.field === key ? [] : this.#begin(part, { field: key })
    const index = this.#open?.index ?? 0
    return [
      ...begun,
      ...(text === '' ? [] : [{ type: 'reasoning-delta', index, text } as const]),
      ...(signature === undefined ? [] : [{ type: 'part-update', index, signature } as const]),
    ]
  }

  /** Content in parts: its texts are text, and what is not known is kept. */
  #listed(content: readonly Json[]): ChatEvent[] {
    return decodeParts(content, 'response').flatMap((part): ChatEvent[] => {
      if (part.type === 'text') return this.#text('text', part.text, 'content')
      if (part.type === 'refusal') return this.#text('refusal', part.text, 'refusal')
      return [...this.#begin(part as AssistantPart, { field: '' }), ...this.#endOpen()]
    })
  }

  #cited(wire: Json | undefined): ChatEvent[] {
    const { citations } = decodeCitations(wire)
    if (citations === undefined || this.#open?.field !== 'content') return []
    return [{ type: 'part-update', index: this.#open.index, citations }]
  }

  #sound(wire: JsonObject): ChatEvent[] {
    const source = { kind: 'base64', data: '', mediaType: 'application/octet-stream' } as const
    const fresh = { field: 'audio', sound: { pieces: [], wire: {} } }
    const begun = this.#open?.field === 'audio' ? [] : this.#begin({ type: 'audio', source }, fresh)
    const { sound, index = 0 } = this.#open ?? {}
    const { data, transcript, ...rest } = wire
    if (sound === undefined) return begun
    const words = typeof transcript === 'string' ? transcript : ''
    const before = sound.wire['transcript']
    const spoken = typeof before === 'string' ? before + words : words
    sound.wire = { ...sound.wire, ...rest, ...(transcript !== undefined && { transcript: spoken }) }
    if (typeof data !== 'string' || data === '') return begun
    sound.pieces.push(data)
    return [...begun, { type: 'media-delta', index, data }]
  }

  #call(wire: Wire): ChatEvent[] {
    const { id, index, function: called, custom } = wire
    const body = isObject(called) ? called : isObject(custom) ? custom : {}
    const own = typeof id === 'string' && id !== '' ? id : undefined
    const key = this.#keyOf(index, own, nameOf(body))
    return this.#fragment(key, own, body, isObject(custom) && !isObject(called) ? 'custom' : undefined)
  }

  /** A fragment of a call: it begins the call, or lets it grow. */
  #fragment(key: string, id: string | undefined, body: Wire, kind: string | undefined): ChatEvent[] {
    const name = nameOf(body)
    const known = this.#calls.get(key)
    if (name !== undefined) known?.rename(this.#reading.names.get(name) ?? name)
    const begun = known === undefined ? this.#beginCall(key, id, name, kind) : []
    const given = body['arguments'] ?? body['input']
    // Some hosts send the arguments as data, all at once.
    const text = isObject(given) ? JSON.stringify(given) : given
    const call = this.#calls.get(key)
    if (call === undefined || typeof text !== 'string') return begun
    const wasComplete = call.complete
    const grown = call.grow(text)
    if (call.complete && !wasComplete) this.#complete.push(call)
    return [...begun, ...grown]
  }

  /**
   * Which call a fragment belongs to: the one of its index, unless the id is another's (some hosts repeat an index); without
   * an index the one of its id, a new one where a name begins it, else the latest. Two calls may have the same id: where an
   * index and a name begin one, it is one more.
   */
  #keyOf(index: Json | undefined, id: string | undefined, name: string | undefined): string {
    const byId = id === undefined ? undefined : `id ${id}`
    if (typeof index !== 'number')
      return byId ?? (name === undefined ? (this.#latest ?? 'first') : `part ${this.#parts}`)
    const before = this.#byIndex.get(index)
    const same = id === undefined || before?.id === undefined || before.id === id
    if (before !== undefined && same) return before.key
    const taken = byId !== undefined && this.#calls.has(byId) && name !== undefined
    const key = byId === undefined || taken ? `index ${index} ${id ?? ''}` : byId
    this.#byIndex.set(index, { key, ...(id !== undefined && { id }) })
    return key
  }

  #beginCall(
    key: string,
    id: string | undefined,
    name: string | undefined,
    kind: string | undefined,
  ): ChatEvent[] {
    const called = name ?? 'unknown'
    const hints = {
      ...(kind !== undefined && { wireType: kind }),
      ...(id !== undefined && idHint(id, idRule)),
      ...nameHint(called, toolNames),
    }
    const part: ToolCallPart = {
      type: 'tool-call',
      id: id ?? this.#ids.next(called, String(this.#parts)),
      name: called,
      arguments: {},
    }
    const own = underOwnName(withHints(part, SLOT, hints), this.#reading.names, SLOT)
    const begun = this.#begin(own)
    this.#calls.set(key, new StreamedCall(this.#parts - 1, own, kind === 'custom', this.#reading))
    this.#latest = key
    return begun
  }

  finish(raw: string): ChatEvent[] {
    const finish = finishFor(raw, this.#calls.size > 0)
    return [...this.close(), ...(finish === undefined ? [] : this.#own([{ type: 'finish', finish }]))]
  }
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function nameOf({ name }: Wire): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** What the end of a sound adds: its words, and the id by which the provider knows it. */
function endOf({ pieces, wire }: Sound): Pick<PartEndEvent, 'part'> {
  const [part] = decodeAudio({ ...wire, data: pieces.join('') }, RESPONSE)
  if (part?.source.kind !== 'base64') return {}
  return { part: { ...part, source: { ...part.source, data: '' } } }
}
