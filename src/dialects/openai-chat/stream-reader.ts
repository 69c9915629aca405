import type { Usage } from '../../canonical/model/usage.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import { createChatStreamReader } from '../shared/chat-stream-reader.ts'
import { callIdRule, DIALECT_SLOT, RESPONSE_SLOT, toolNameRule } from './constants.ts'
import { decodeFinishWithCalls, decodeResponseMetadata, decodeUsage } from './response-metadata.ts'
import type { ChatEvent, PartEndEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { joinEach, joinLists } from '../engine/join-lists.ts'
import { withHints } from '../engine/residue-slots.ts'
import { ChatCandidateReader } from '../shared/chat-candidate-reader.ts'
import { decodeCitations } from './citations.ts'
import { decodeAudio, decodeImages } from './media.ts'
import { decodeContent } from './parts.ts'
import { decodeReasoningPieces, type ReasoningPiece } from './stream-reasoning.ts'

/** The audio that was read so far. */
interface AudioState {
  readonly pieces: string[]
  wire: JsonObject
}

/** Reads one candidate of a stream. */
class StreamCandidateReader extends ChatCandidateReader {
  #audio: AudioState = { pieces: [], wire: {} }

  protected decodeFinish(raw: Json | undefined, hasCalls: boolean): Finish | undefined {
    return decodeFinishWithCalls(raw, hasCalls)
  }

  protected override prepareCall(call: ToolCallPart, kind: string | undefined): ToolCallPart {
    return kind === undefined ? call : withHints(call, DIALECT_SLOT, { wireType: kind })
  }

  protected readDelta(delta: JsonObject): readonly ChatEvent[] {
    const { content, refusal, tool_calls: calls, function_call: legacy, audio, annotations, images } = delta
    let events = joinEach(decodeReasoningPieces(delta), (piece) => this.#readReasoning(piece))
    const texts = Array.isArray(content) ? this.#readContentParts(content) : this.readText('text', content)
    events = joinLists(events, texts)
    if (annotations !== undefined) events = joinLists(events, this.#readCitations(annotations))
    if (refusal !== undefined) events = joinLists(events, this.readText('refusal', refusal))
    if (images !== undefined)
      events = joinLists(
        events,
        joinEach(decodeImages(images), (image) => this.addComplete(image)),
      )
    if (isObject(audio)) events = joinLists(events, this.#readAudio(audio))
    if (isList(calls))
      events = joinLists(
        events,
        joinEach(calls, (call) => (isObject(call) ? this.readCall(call) : [])),
      )
    return isObject(legacy)
      ? joinLists(events, this.readCallFragment('function_call', undefined, legacy, 'function_call'))
      : events
  }

  #readReasoning({ key, part, text, signature }: ReasoningPiece): ChatEvent[] {
    const opened = this.open?.field === key ? [] : this.begin(part, { field: key })
    const index = this.open?.index ?? 0
    return [
      ...opened,
      ...(text === '' ? [] : [{ type: 'reasoning-delta', index, text } as const]),
      ...(signature === undefined ? [] : [{ type: 'part-update', index, signature } as const]),
    ]
  }

  /** Reads content that is a list of parts. A part of unknown type is kept as an opaque part. */
  #readContentParts(content: readonly Json[]): ChatEvent[] {
    return decodeContent(content, 'response').flatMap((part): ChatEvent[] => {
      if (part.type === 'text' || part.type === 'refusal') return this.readText(part.type, part.text)
      return this.addComplete(part as AssistantPart)
    })
  }

  #readCitations(wire: Json | undefined): ChatEvent[] {
    const { citations } = decodeCitations(wire)
    if (citations === undefined || this.open?.field !== 'text') return []
    return [{ type: 'part-update', index: this.open.index, citations }]
  }

  #readAudio(wire: JsonObject): ChatEvent[] {
    const opened = this.open?.field === 'audio' ? [] : this.#beginAudio()
    const audio = this.#audio
    const { data, transcript, ...rest } = wire
    const added = typeof transcript === 'string' ? transcript : ''
    const before = audio.wire['transcript']
    const joined = typeof before === 'string' ? before + added : added
    audio.wire = { ...audio.wire, ...rest, ...(transcript !== undefined && { transcript: joined }) }
    if (typeof data !== 'string' || data === '') return opened
    audio.pieces.push(data)
    return [...opened, { type: 'media-delta', index: this.open?.index ?? 0, data }]
  }

  #beginAudio(): ChatEvent[] {
    const audio: AudioState = { pieces: [], wire: {} }
    this.#audio = audio
    const source = { kind: 'base64', data: '', mediaType: 'application/octet-stream' } as const
    return this.begin(
      { type: 'audio', source },
      { field: 'audio', getEndFields: () => createAudioEnd(audio) },
    )
  }
}

/** Returns what the end of audio adds: its transcript and the id that the provider assigned. */
function createAudioEnd({ pieces, wire }: AudioState): Pick<PartEndEvent, 'part'> {
  const [part] = decodeAudio({ ...wire, data: pieces.join('') }, RESPONSE_SLOT)
  if (part?.source.kind !== 'base64') return {}
  return { part: { ...part, source: { ...part.source, data: '' } } }
}

/** Creates the reader of a streamed completion. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return createChatStreamReader(options, {
    slot: DIALECT_SLOT,
    callIdRule,
    toolNameRule,
    createCandidateReader: (candidate, context) => new StreamCandidateReader(candidate, context),
    decodeMetadata: decodeResponseMetadata,
    decodeChunkUsage: ({ usage, x_groq: groq }) => decodeUsage(usage) ?? readGroqUsage(groq),
  })
}

/** Reads the usage that Groq sends in a field of its own if the request did not ask for usage. */
function readGroqUsage(groq: Json | undefined): Usage | undefined {
  return isObject(groq) ? decodeUsage(groq['usage'], { usageField: 'x_groq' }) : undefined
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
