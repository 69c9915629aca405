import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  SharedV3Warning,
} from '@ai-sdk/provider'
import type { Loss } from '../../canonical/model/loss.ts'
import type { CallOptions, Model } from '../../canonical/model/model-interface.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { LossReporter } from '../../formats/shared/loss-reporter.ts'
import { ProtocolDriver } from '../../formats/shared/protocol-driver.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { transformIterable } from '../../wire/iterable-source.ts'
import { omitUndefined } from '../../wire/json.ts'
import { readCallOptions, toWarnings } from './read-call-options.ts'
import { SdkStreamPartWriter, toFinishReason, toSdkUsage } from './sdk-stream-part-writer.ts'

/** Options of {@link toLanguageModel}. */
export interface ToLanguageModelOptions {
  /**
   * URLs that the provider reads itself, by media type. The SDK downloads all others before the call. Default: none, which
   * works with every provider.
   */
  readonly supportedUrls?: Record<string, RegExp[]>
}

/**
 * Returns a model as a language model of the AI SDK (`ai` 6): for `generateText`, `streamText`, agents and `useChat`.
 * Signatures of reasoning travel in `providerMetadata`, so that the next call of the same conversation contains them.
 * Losses are warnings. Retries and limits are those of the model: set `maxRetries: 0` in the SDK.
 *
 * @example
 * const { text } = await generateText({ model: toLanguageModel(anthropic('claude-sonnet-5')), prompt: 'Hi' })
 */
export function toLanguageModel(model: Model, options: ToLanguageModelOptions = {}): LanguageModelV3 {
  return withTypedErrors(() => {
    checkOptions('toLanguageModel()', options, { supportedUrls: true })
    checkMethods(model, 'model', 'a model', ['generate', 'stream'])
    return {
      specificationVersion: 'v3',
      provider: model.provider,
      modelId: model.name,
      supportedUrls: options.supportedUrls ?? {},
      doGenerate: (call) => generate(model, call),
      doStream: (call) => stream(model, call),
    }
  }, [model, options])
}

async function generate(
  model: Model,
  call: LanguageModelV3CallOptions,
): Promise<LanguageModelV3GenerateResult> {
  const { request, warnings } = readCallOptions(call)
  const reply = await model.generate(request, { ...toCallOptions(call), includeRaw: true })
  const losses: Loss[] = [...reply.losses]
  const driver = createDriver([], losses)
  const parts = toEvents(reply.response).flatMap((event) => driver.read(event))
  const content = collectContent([...parts, ...driver.end(undefined)])
  const { id, model: modelId, createdAt } = reply.response
  const timestamp = createdAt === undefined ? undefined : new Date(createdAt)
  return {
    content,
    finishReason: toFinishReason(reply.finish),
    usage: toSdkUsage(reply.usage),
    warnings: [...warnings, ...toWarnings(losses)],
    request: { body: reply.raw?.request },
    response: { ...omitUndefined({ id, modelId, timestamp }), body: reply.raw?.response },
  }
}

async function stream(model: Model, call: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
  const { request, warnings } = readCallOptions(call)
  const losses: Loss[] = []
  const events = model.stream(request, toCallOptions(call))
  const parts = transformIterable(events, createDriver(warnings, losses))
  return {
    stream: new ReadableStream<LanguageModelV3StreamPart>(
      {
        async pull(controller) {
          const { done, value } = await parts.next()
          if (done === true) controller.close()
          else controller.enqueue(value)
        },
        async cancel() {
          await parts.return?.()
        },
      },
      { highWaterMark: 0 },
    ),
  }
}

/** Creates the converter of events. Losses are collected, and those before the response are warnings of its start. */
function createDriver(
  warnings: readonly SharedV3Warning[],
  losses: Loss[],
): ProtocolDriver<LanguageModelV3StreamPart> {
  const report = new LossReporter('ai-sdk', (loss) => {
    losses.push(loss)
  })
  const writer = new SdkStreamPartWriter(report, () => [...warnings, ...toWarnings(losses)])
  return new ProtocolDriver(writer, report)
}

function toCallOptions({ abortSignal }: LanguageModelV3CallOptions): CallOptions {
  return abortSignal === undefined ? {} : { signal: abortSignal }
}

type TextContent = Extract<LanguageModelV3Content, { readonly type: 'text' | 'reasoning' }>

/** Joins the parts of a stream to the content of a complete response, so that both are the same. */
function collectContent(parts: Iterable<LanguageModelV3StreamPart>): LanguageModelV3Content[] {
  const content: LanguageModelV3Content[] = []
  const texts = new Map<string, { readonly part: TextContent; readonly pieces: string[] }>()
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const open: TextContent = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' }
        content.push(open)
        texts.set(part.id, { part: open, pieces: [] })
        break
      }
      case 'text-delta':
      case 'reasoning-delta':
        texts.get(part.id)?.pieces.push(part.delta)
        break
      case 'text-end':
      case 'reasoning-end': {
        const open = texts.get(part.id)
        if (open === undefined) break
        open.part.text = open.pieces.join('')
        if (part.providerMetadata !== undefined) open.part.providerMetadata = part.providerMetadata
        break
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'file':
      case 'source':
        content.push(part)
        break
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      case 'stream-start':
      case 'response-metadata':
      case 'finish':
      case 'raw':
      case 'error':
        break
    }
  }
  return content
}
