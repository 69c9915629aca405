import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { createCallIdGenerator, createCallIdHint } from '../shared/call-ids.ts'
import { type OriginalToolNames, createToolNameHint, restoreToolName } from '../shared/tool-names.ts'
import type { NullStripper } from '../shared/strict-nulls.ts'
import { withHints } from '../engine/residue-slots.ts'
import { decodeCitations } from './citations.ts'
import { decodeAudio, decodeImages } from './media.ts'
import { callIdRule, RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeContent } from './parts.ts'
import { decodeFinishWithCalls } from './response-metadata.ts'
import { StreamCallReader } from './stream-call-reader.ts'
import { readToolName } from './tool-calls.ts'
import { decodeReasoningPieces, type ReasoningPiece } from './stream-reasoning.ts'

/** The audio that was read so far. */
interface AudioState {
  readonly pieces: string[]
  wire: JsonObject
}

/** The open part. Parts other than calls are streamed one after the other. */
interface OpenPartState {
  readonly field: string
  readonly index: number
  readonly audio?: AudioState
}

/** The settings that the candidates of a stream share. */
export interface CandidateReadContext {
  readonly renamedTools: OriginalToolNames
  readonly stripNulls: NullStripper
  readonly limits: StreamLimits | undefined
}

/** Reads one candidate of a stream. It tracks the open parts and the next index. */
export class StreamCandidateReader {
  readonly #candidate: number
  readonly #context: CandidateReadContext
  readonly #ids = createCallIdGenerator()
  readonly #calls = new Map<string, StreamCallReader>()
  /** Calls whose arguments are complete, but whose end event is delayed. */
  readonly #completeCalls: StreamCallReader[] = []
  /** The call for which each index was last used. */
  readonly #byIndex = new Map<number, { readonly key: string; readonly id?: string }>()
  #latest: string | undefined
  #parts = 0
  #open: OpenPartState | undefined

  constructor(candidate: number, context: CandidateReadContext) {
    this.#candidate = candidate
    this.#context = context
  }

  #setCandidate(events: ChatEvent[]): ChatEvent[] {
    return this.#candidate === 0 ? events : events.map((event) => ({ ...event, candidate: this.#candidate }))
  }

  /** Ends every part. */
  close(): ChatEvent[] {
    return this.#setCandidate([
      ...this.#endOpen(),
      ...[...this.#calls.values()].flatMap((call) => call.end()),
    ])
  }

  #endOpen(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index, audio } = this.#open
    this.#open = undefined
    return [{ type: 'part-end', index, ...(audio && createAudioEnd(audio)) }]
  }

  /** Opens a part. Incomplete calls stay open, since some hosts alternate between calls. */
  #begin(part: AssistantPart, open?: Omit<OpenPartState, 'index'>): ChatEvent[] {
    const ended = this.#endOpen()
    for (const call of this.#completeCalls.splice(0)) if (!call.isEnded) pushAll(ended, call.end())
    const index = this.#parts++
    if (open !== undefined) this.#open = { ...open, index }
    return [...ended, { type: 'part-start', index, part }]
  }

  read(delta: JsonObject): ChatEvent[] {
    const { content, refusal, tool_calls: calls, function_call: legacy, audio, annotations } = delta
    const events: ChatEvent[] = []
    for (const piece of decodeReasoningPieces(delta)) pushAll(events, this.#readReasoning(piece))
    if (Array.isArray(content)) pushAll(events, this.#readContentParts(content))
    else pushAll(events, this.#readText('text', content))
    pushAll(events, this.#readCitations(annotations))
    pushAll(events, this.#readText('refusal', refusal))
    for (const image of decodeImages(delta['images']))
      pushAll(events, [...this.#begin(image, { field: '' }), ...this.#endOpen()])
    if (isObject(audio)) pushAll(events, this.#readAudio(audio))
    for (const call of itemsOf(calls)) if (isObject(call)) pushAll(events, this.#readCall(call))
    if (isObject(legacy))
      pushAll(events, this.#readCallFragment('function_call', undefined, legacy, 'function_call'))
    return this.#setCandidate(events)
  }

  /** Adds text to the open part, or opens a part. */
  #readText(type: 'text' | 'refusal', text: Json | undefined): ChatEvent[] {
    if (typeof text !== 'string' || text === '') return []
    const opened = this.#open?.field === type ? [] : this.#begin({ type, text: '' }, { field: type })
    return [...opened, { type: `${type}-delta`, index: this.#open?.index ?? 0, text }]
  }

  #readReasoning({ key, part, text, signature }: ReasoningPiece): ChatEvent[] {
    const opened = this.#open?.field === key ? [] : this.#begin(part, { field: key })
    const index = this.#open?.index ?? 0
    return [
      ...opened,
      ...(text === '' ? [] : [{ type: 'reasoning-delta', index, text } as const]),
      ...(signature === undefined ? [] : [{ type: 'part-update', index, signature } as const]),
    ]
  }

  /** Reads content that is a list of parts. A part of unknown type is kept as an opaque part. */
  #readContentParts(content: readonly Json[]): ChatEvent[] {
    return decodeContent(content, 'response').flatMap((part): ChatEvent[] => {
      if (part.type === 'text' || part.type === 'refusal') return this.#readText(part.type, part.text)
      return [...this.#begin(part as AssistantPart, { field: '' }), ...this.#endOpen()]
    })
  }

  #readCitations(wire: Json | undefined): ChatEvent[] {
    const { citations } = decodeCitations(wire)
    if (citations === undefined || this.#open?.field !== 'text') return []
    return [{ type: 'part-update', index: this.#open.index, citations }]
  }

  #readAudio(wire: JsonObject): ChatEvent[] {
    const source = { kind: 'base64', data: '', mediaType: 'application/octet-stream' } as const
    const opening = { field: 'audio', audio: { pieces: [], wire: {} } }
    const opened = this.#open?.field === 'audio' ? [] : this.#begin({ type: 'audio', source }, opening)
    const { audio, index = 0 } = this.#open ?? {}
    const { data, transcript, ...rest } = wire
    if (audio === undefined) return opened
    const added = typeof transcript === 'string' ? transcript : ''
    const before = audio.wire['transcript']
    const joined = typeof before === 'string' ? before + added : added
    audio.wire = { ...audio.wire, ...rest, ...(transcript !== undefined && { transcript: joined }) }
    if (typeof data !== 'string' || data === '') return opened
    audio.pieces.push(data)
    return [...opened, { type: 'media-delta', index, data }]
  }

  #readCall(wire: JsonObject): ChatEvent[] {
    const { id, index, function: called, custom } = wire
    const body = isObject(called) ? called : isObject(custom) ? custom : {}
    const own = typeof id === 'string' && id !== '' ? id : undefined
    const key = this.#findCallKey(index, own, readToolName(body))
    return this.#readCallFragment(key, own, body, body === custom ? 'custom' : undefined)
  }

  /** Reads a fragment of a call: it opens the call or adds to its arguments. */
  #readCallFragment(key: string, id: string | undefined, body: JsonObject, kind?: string): ChatEvent[] {
    const name = readToolName(body)
    const known = this.#calls.get(key)
    if (name !== undefined) known?.rename(this.#context.renamedTools.get(name) ?? name)
    const opened = known === undefined ? this.#beginCall(key, id, name, kind) : []
    const input = body['arguments'] ?? body['input']
    // Some hosts send the arguments as an object, all at once.
    const text = isObject(input) ? JSON.stringify(input) : input
    const call = this.#calls.get(key)
    if (call === undefined || typeof text !== 'string') return opened
    const wasComplete = call.isComplete
    const grown = call.append(text)
    if (call.isComplete && !wasComplete) this.#completeCalls.push(call)
    return [...opened, ...grown]
  }

  /**
   * Returns the key of the call that a fragment belongs to. With an index: the call of that index, unless the
   * id is that of another call (some hosts reuse an index). Without an index: the call of the id, a new call
   * if the fragment has a name, else the latest call. Two calls may have the same id: a fragment with a new
   * index and a name opens a further call.
   */
  #findCallKey(index: Json | undefined, id: string | undefined, name: string | undefined): string {
    const byId = id === undefined ? undefined : `id ${id}`
    if (typeof index !== 'number')
      return byId ?? (name === undefined ? (this.#latest ?? 'first') : `part ${this.#parts}`)
    const before = this.#byIndex.get(index)
    const isSameCall = id === undefined || before?.id === undefined || before.id === id
    if (before !== undefined && isSameCall) return before.key
    const isIdTaken = byId !== undefined && this.#calls.has(byId) && name !== undefined
    const key = byId === undefined || isIdTaken ? `index ${index} ${id ?? ''}` : byId
    this.#byIndex.set(index, { key, ...(id !== undefined && { id }) })
    return key
  }

  #beginCall(key: string, id?: string, name = 'unknown', kind?: string): ChatEvent[] {
    const { renamedTools } = this.#context
    const hints = {
      ...(kind !== undefined && { wireType: kind }),
      ...(id !== undefined && createCallIdHint(id, callIdRule)),
      ...createToolNameHint(name, toolNameRule),
    }
    const callId = id ?? this.#ids.next(name, String(this.#parts))
    const part: ToolCallPart = { type: 'tool-call', id: callId, name, arguments: {} }
    const call = restoreToolName(withHints(part, DIALECT_SLOT, hints), renamedTools, DIALECT_SLOT)
    const opened = this.#begin(call)
    this.#calls.set(key, new StreamCallReader(this.#parts - 1, call, kind === 'custom', this.#context))
    this.#latest = key
    return opened
  }

  /** Ends the candidate if `raw` is a finish reason. */
  finish(raw: Json | undefined): ChatEvent[] {
    const finish = decodeFinishWithCalls(raw, this.#calls.size > 0)
    return finish === undefined ? [] : [...this.close(), ...this.#setCandidate([{ type: 'finish', finish }])]
  }
}

/** Returns what the end of audio adds: its transcript and the id that the provider assigned. */
function createAudioEnd({ pieces, wire }: AudioState): Pick<PartEndEvent, 'part'> {
  const [part] = decodeAudio({ ...wire, data: pieces.join('') }, RESPONSE_SLOT)
  if (part?.source.kind !== 'base64') return {}
  return { part: { ...part, source: { ...part.source, data: '' } } }
}
