import type { StartEvent, FinishEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { FormatReporter } from '../../formats/engine/format-loss-reporter.ts'
import { writeAnnotations } from '../../formats/langchain/annotations.ts'
import { writeFinish, writeUsage } from '../../formats/langchain/answer-fields.ts'
import { writeBlock } from '../../formats/langchain/blocks.ts'
import { GEMINI_SIGNATURES } from '../../formats/langchain/calls.ts'
import { writeProviderCall, writeProviderResult } from '../../formats/langchain/provider-calls.ts'
import type { PartInProgress } from '../../formats/shared/part-in-progress.ts'
import type { ProtocolWriter, UiToolResult } from '../../formats/shared/protocol-writer.ts'
import { isEmptyObject, isEqualJson, type JsonObject, omitUndefined, tryParseJson } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'

/** The fields of an `AIMessageChunk`. LangChain sets its id: that of a response is not unique at every host. */
export interface MessageChunk {
  readonly content: string | readonly JsonObject[]
  readonly tool_call_chunks?: readonly JsonObject[]
  readonly additional_kwargs?: JsonObject
  readonly response_metadata?: JsonObject
  readonly usage_metadata?: JsonObject
}

type MessageChunks = readonly MessageChunk[]

/**
 * Makes arguments that are no JSON invalid for LangChain, too: it closes open brackets and quotes itself, and would run a
 * tool with half of its arguments. No text with this suffix has a completion that is JSON.
 */
const INVALID_SUFFIX = '<invalid>"<invalid>'

/** A part whose chunks LangChain joins by their index. */
interface OpenBlock {
  readonly index: number
  /** True if its text is the content of the chunks, and not a block. */
  readonly isString: boolean
  /** The pieces so far. */
  readonly pieces: string[]
}

/** Writes one response as message chunks of LangChain, which the application joins with `concat`. */
export class MessageChunkWriter implements ProtocolWriter<MessageChunk> {
  readonly #report: FormatReporter
  /** Returns the fields of the end that are known only then. */
  readonly #takeMetadata: () => JsonObject
  readonly #blocks = new Map<string, OpenBlock>()
  #nextIndex = 0
  #metadata: JsonObject = {}
  #finish: Finish | undefined
  #usage: Usage | undefined

  constructor(report: FormatReporter, takeMetadata: () => JsonObject) {
    this.#report = report
    this.#takeMetadata = takeMetadata
  }

  beginRun(start: StartEvent | undefined): MessageChunks {
    const { id, model: model_name } = start ?? {}
    this.#metadata = omitUndefined({ id, model_name })
    return []
  }

  beginStep(): MessageChunks {
    return []
  }

  openPart(progress: PartInProgress): MessageChunks {
    const { part, callId } = progress
    const index = this.#nextIndex++
    // A text at the start is a string, as LangChain has it for plain answers; strings and blocks do not mix later.
    this.#blocks.set(progress.id, { index, isString: index === 0 && part.type === 'text', pieces: [] })
    if (part.type === 'tool-call')
      return part.executedBy === 'provider'
        ? []
        : this.#writeCallChunk({ name: part.name, args: '', id: callId, index })
    return 'text' in part && part.text !== '' ? this.appendToPart(progress, part.text) : []
  }

  appendToPart({ id, part }: PartInProgress, delta: string): MessageChunks {
    const block = this.#blocks.get(id)
    if (block === undefined) return []
    const { index, isString, pieces } = block
    if (part.type === 'tool-call') {
      pieces.push(delta)
      return part.executedBy === 'provider' ? [] : this.#writeCallChunk({ args: delta, index })
    }
    if (!('text' in part)) return []
    if (isString) return this.#write(delta)
    const isFirst = pieces.length === 0
    pieces.push(delta)
    const toBlock = (text: string): JsonObject =>
      part.type === 'reasoning'
        ? { type: 'reasoning', reasoning: text, index }
        : { type: 'text', text, index }
    // The events of LangChain start a block with its first chunk, and count only the later ones as deltas.
    return [...(isFirst ? this.#write([toBlock('')]) : []), ...this.#write([toBlock(delta)])]
  }

  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): MessageChunks {
    const { path } = progress
    const { index } = this.#blocks.get(progress.id) ?? { index: this.#nextIndex++ }
    switch (finalPart.type) {
      case 'text':
      case 'refusal':
      case 'reasoning': {
        const remaining = progress.remainingText(finalPart)
        if (remaining === undefined) this.#report.add('correction-omitted', path)
        const chunks = remaining ? this.appendToPart(progress, remaining) : []
        return [...chunks, ...this.#writeFields(finalPart, index, path)]
      }
      case 'tool-call':
        if (finalPart.executedBy !== 'provider') return this.#closeCall(progress, finalPart, index)
        return isTruncated ? [] : this.#write([{ ...writeProviderCall(finalPart), index }])
      case 'tool-result':
        return []
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
      case 'opaque': {
        const block = isTruncated ? undefined : writeBlock(finalPart, path, this.#report)
        return block === undefined ? [] : this.#write([{ ...block, index }])
      }
    }
  }

  amendPart({ id, path }: PartInProgress, before: AssistantPart, after: AssistantPart): MessageChunks {
    const { index } = this.#blocks.get(id) ?? { index: this.#nextIndex++ }
    const isSigned = before.signature === undefined && after.signature !== undefined
    if (!isSigned && before.signature?.value !== after.signature?.value)
      this.#report.add('late-signature', path)
    if (after.type !== 'text' || before.type !== 'text')
      return isSigned ? this.#writeFields(after, index, path) : []
    const { signature, citations = [], ...text } = after
    const added = citations.slice(before.citations?.length ?? 0)
    return this.#writeFields({ ...text, citations: added, ...(isSigned && { signature }) }, index, path)
  }

  /** Writes what a block has in addition to its text. */
  #writeFields(part: AssistantPart, index: number, path: Path): MessageChunks {
    if (!('text' in part)) return []
    const { signature } = part
    const own = {
      ...(part.type === 'refusal' && { refusal: true }),
      ...(part.type === 'reasoning' && part.summary && { summary: true }),
      ...(part.type === 'reasoning' && part.redacted && { redacted: true }),
      ...(signature && { signature: { vendor: signature.vendor, value: signature.value } }),
    }
    const annotations = part.type === 'text' ? writeAnnotations(part.citations, path, this.#report) : []
    if (isEmptyObject(own) && annotations.length === 0) return []
    const isReasoning = part.type === 'reasoning'
    return this.#write([
      {
        // LangChain drops a block of an empty text; the reader knows a text without one.
        ...(isReasoning ? { type: 'reasoning', reasoning: '' } : { type: 'text' }),
        index,
        ...(annotations.length > 0 && { annotations }),
        ...(isEmptyObject(own) ? {} : { extras: { interlingua: own } }),
      },
    ])
  }

  #closeCall(progress: PartInProgress, part: ToolCallPart, index: number): MessageChunks {
    const { path, callId } = progress
    const written = this.#blocks.get(progress.id)?.pieces.join('') ?? ''
    const isComplete = isEqualJson(tryParseJson(written), part.arguments)
    const remaining = isComplete ? '' : progress.remainingText(part)
    if (remaining === undefined) this.#report.add('correction-omitted', path)
    const rest = `${remaining ?? ''}${part.invalidArguments === undefined ? '' : INVALID_SUFFIX}`
    const chunks = rest === '' ? [] : this.#writeCallChunk({ args: rest, index })
    const { signature } = part
    if (signature === undefined) return chunks
    if (signature.vendor !== 'google') {
      this.#report.add('signature-dropped', path)
      return chunks
    }
    const kwargs = { [GEMINI_SIGNATURES]: { [callId]: signature.value } }
    return [...chunks, ...this.#write('', { additional_kwargs: kwargs })]
  }

  writeResult({ part, path, callId }: UiToolResult): MessageChunks {
    if (callId === undefined) this.#report.add('result-without-call', path)
    const index = this.#nextIndex++
    return this.#write([{ ...writeProviderResult(part, path, this.#report), index }])
  }

  writeUsage({ usage }: UsageEvent): MessageChunks {
    this.#usage = usage
    return []
  }

  writeFinish({ finish }: FinishEvent): MessageChunks {
    this.#finish = finish
    return []
  }

  writeOpaque(): MessageChunks {
    return []
  }

  endStep(): MessageChunks {
    return []
  }

  /** Writes usage and metadata once: LangChain adds the numbers and joins the texts of all chunks. */
  endRun(): MessageChunks {
    const metadata = {
      ...this.#metadata,
      ...(this.#finish && { finish_reason: writeFinish(this.#finish) }),
      ...this.#takeMetadata(),
    }
    return this.#write('', {
      response_metadata: metadata,
      ...(this.#usage && { usage_metadata: writeUsage(this.#usage) }),
    })
  }

  failRun(error: unknown): never {
    throw error
  }

  #writeCallChunk(fields: JsonObject): MessageChunks {
    return this.#write('', { tool_call_chunks: [{ ...fields, type: 'tool_call_chunk' }] })
  }

  #write(content: MessageChunk['content'], fields: Omit<MessageChunk, 'content'> = {}): MessageChunks {
    return [{ content, ...fields }]
  }
}
