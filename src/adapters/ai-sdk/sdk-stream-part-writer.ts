import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
  SharedV3Warning,
} from '@ai-sdk/provider'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { FinishEvent, StartEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/message.ts'
import type { AssistantPart, MediaPart, TextPart, ToolCallPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { mediaTypeOf } from '../../canonical/build/media.ts'
import { buildProviderMetadata, uiFinishReasons } from '../../formats/ai-sdk-ui/build-message-metadata.ts'
import { toSourceChunks } from '../../formats/ai-sdk-ui/part-chunks.ts'
import type { LossReporter } from '../../formats/shared/loss-reporter.ts'
import type { PartInProgress } from '../../formats/shared/part-in-progress.ts'
import { toPlainOutput } from '../../formats/shared/to-plain-output.ts'
import type { ProtocolWriter, UiToolResult } from '../../formats/shared/protocol-writer.ts'
import { toBase64 } from '../../wire/base64.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'

type StreamPart = LanguageModelV3StreamPart
type StreamParts = readonly StreamPart[]

/** Writes one response as the stream parts of a language model of the AI SDK. */
export class SdkStreamPartWriter implements ProtocolWriter<StreamPart> {
  readonly #report: LossReporter
  /** Returns the warnings that are known when the response starts. */
  readonly #takeWarnings: () => readonly SharedV3Warning[]
  readonly #toolNames = new Map<string, string>()
  #finish: Finish | undefined
  #usage: Usage | undefined

  constructor(report: LossReporter, takeWarnings: () => readonly SharedV3Warning[]) {
    this.#report = report
    this.#takeWarnings = takeWarnings
  }

  beginRun(start: StartEvent | undefined): StreamParts {
    const warnings = [...this.#takeWarnings()]
    const { id, model: modelId, createdAt } = start ?? {}
    const timestamp = createdAt === undefined ? undefined : new Date(createdAt)
    return [
      { type: 'stream-start', warnings },
      { type: 'response-metadata', ...omitUndefined({ id, modelId, timestamp }) },
    ]
  }

  beginStep(): StreamParts {
    return []
  }

  openPart(progress: PartInProgress): StreamParts {
    const { id, part, path, callId } = progress
    if (part.type === 'tool-call') {
      this.#toolNames.set(callId, part.name)
      return [{ type: 'tool-input-start', id: callId, ...toToolFields(part) }]
    }
    if (!('text' in part)) return []
    if (part.type === 'refusal') this.#report.add('refusal-as-text', path)
    const textParts = part.text === '' ? [] : this.appendToPart(progress, part.text)
    return [{ type: `${textKind(part)}-start`, id }, ...textParts]
  }

  appendToPart({ id, part, callId }: PartInProgress, delta: string): StreamParts {
    if (part.type === 'tool-call') return [{ type: 'tool-input-delta', id: callId, delta }]
    return 'text' in part ? [{ type: `${textKind(part)}-delta`, id, delta }] : []
  }

  closePart(progress: PartInProgress, finalPart: AssistantPart, isTruncated: boolean): StreamParts {
    const { id, path, callId } = progress
    if ('source' in finalPart) return isTruncated ? [] : this.#writeFile(finalPart, path)
    switch (finalPart.type) {
      case 'text':
        return [...this.#closeText(progress, finalPart), ...this.#writeSources(finalPart, id, path)]
      case 'refusal':
      case 'reasoning':
        return this.#closeText(progress, finalPart)
      case 'tool-call':
        // A truncated call stays incomplete, so that the SDK never runs it.
        return isTruncated ? [] : this.#closeCall(callId, finalPart, path)
      case 'opaque':
        this.#report.add('foreign-opaque', path)
        return []
      case 'tool-result':
        return []
    }
  }

  amendPart({ id, path }: PartInProgress, before: AssistantPart, after: AssistantPart): StreamParts {
    if (before.signature?.value !== after.signature?.value) this.#report.add('late-signature', path)
    if (before.type !== 'text' || after.type !== 'text') return []
    return this.#writeSources(after, id, path, before.citations?.length)
  }

  #closeText(progress: PartInProgress, finalPart: AssistantPart): StreamParts {
    const remaining = progress.remainingText(finalPart)
    if (remaining === undefined) this.#report.add('correction-omitted', progress.path)
    const textParts = remaining ? this.appendToPart(progress, remaining) : []
    const metadata = this.#toMetadata(finalPart, progress.path)
    return [...textParts, { type: `${textKind(finalPart)}-end`, id: progress.id, ...metadata }]
  }

  #closeCall(toolCallId: string, part: ToolCallPart, path: Path): StreamParts {
    const input = part.invalidArguments ?? stringifyArguments(part)
    const call = { ...toToolFields(part), ...this.#toMetadata(part, path) }
    return [
      { type: 'tool-input-end', id: toolCallId },
      { type: 'tool-call', toolCallId, input, ...call },
    ]
  }

  /** Writes a file as data: the SDK has no URLs of generated files. */
  #writeFile(part: MediaPart, path: Path): StreamParts {
    const { source } = part
    if (source.kind === 'url' || source.kind === 'id') {
      this.#report.add('file-reference', path)
      return []
    }
    const isText = source.kind === 'text'
    const data = isText ? toBase64(new TextEncoder().encode(source.text)) : source.data
    const mediaType = mediaTypeOf(part) ?? (isText ? 'text/plain' : 'application/octet-stream')
    return [{ type: 'file', data, mediaType, ...this.#toMetadata(part, path) }]
  }

  #writeSources(part: TextPart, id: string, path: Path, alreadySent?: number): StreamParts {
    return toSourceChunks(part, id, path, this.#report, alreadySent).flatMap((chunk): StreamParts => {
      if (chunk.type !== 'source-url' && chunk.type !== 'source-document') return []
      const { type, sourceId, ...source } = chunk
      const sourceType = type === 'source-url' ? 'url' : 'document'
      return [{ type: 'source', sourceType, id: sourceId, ...source } as StreamPart]
    })
  }

  writeResult({ part, path, callId }: UiToolResult): StreamParts {
    if (callId === undefined) {
      this.#report.add('result-without-call', path)
      return []
    }
    const result = toPlainOutput(part, path, this.#report) ?? ''
    const toolName = part.name ?? this.#toolNames.get(callId) ?? ''
    return [
      { type: 'tool-result', toolCallId: callId, toolName, result, ...(part.isError && { isError: true }) },
    ] as StreamParts
  }

  writeUsage({ usage }: UsageEvent): StreamParts {
    this.#usage = usage
    return []
  }

  writeFinish({ finish }: FinishEvent): StreamParts {
    this.#finish = finish
    return []
  }

  writeOpaque(): StreamParts {
    return []
  }

  endStep(): StreamParts {
    return []
  }

  endRun(): StreamParts {
    return [{ type: 'finish', finishReason: toFinishReason(this.#finish), usage: toSdkUsage(this.#usage) }]
  }

  failRun(error: unknown): StreamParts {
    return [{ type: 'error', error }]
  }

  #toMetadata(part: AssistantPart, path: Path): { readonly providerMetadata?: SharedV3ProviderMetadata } {
    return buildProviderMetadata(part, path, this.#report)
  }
}

function toToolFields({ name, executedBy }: ToolCallPart): { toolName: string; providerExecuted?: boolean } {
  return { toolName: name, ...(executedBy === 'provider' && { providerExecuted: true }) }
}

/** Returns the kind of stream parts for a text, a refusal or reasoning. */
function textKind({ type }: AssistantPart): 'text' | 'reasoning' {
  return type === 'reasoning' ? 'reasoning' : 'text'
}

/** Returns the finish in the form of the SDK. */
export function toFinishReason(finish: Finish | undefined): LanguageModelV3FinishReason {
  return { unified: finish === undefined ? 'other' : uiFinishReasons[finish.reason], raw: finish?.raw }
}

/** Returns the counts in the form of the SDK, which separates cached and uncached input. */
export function toSdkUsage(usage: Usage | undefined): LanguageModelV3Usage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage ?? {}
  const cached = (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0)
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens === undefined ? undefined : inputTokens - cached,
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0),
      reasoning: reasoningTokens,
    },
  }
}
