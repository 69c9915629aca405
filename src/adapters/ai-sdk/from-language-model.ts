import type { LanguageModelV3, LanguageModelV3GenerateResult } from '@ai-sdk/provider'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { CallOptions, Model, ModelInput, Reply } from '../../canonical/model/model-interface.ts'
import type { ModelCapabilities } from '../../canonical/model/capabilities.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { accumulate } from '../../canonical/stream/accumulate.ts'
import { toChatRequest } from '../../client/check-call-input.ts'
import { createReply, recordFirstEventTime, startCallTimer } from '../../client/reply.ts'
import { createReplyStream, forwardAndAccumulate } from '../../client/reply-stream.ts'
import { InterlinguaError } from '../../errors.ts'
import { quoteOrDescribe, throwWrongType } from '../../canonical/shape/shape.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions, readOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { transformIterable } from '../../wire/iterable-source.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { readWarnings } from './read-content.ts'
import { SdkStreamPartReader } from './sdk-stream-part-reader.ts'
import { writeCallOptions } from './write-call-options.ts'

/** Options of {@link fromLanguageModel}. */
export interface FromLanguageModelOptions {
  readonly capabilities?: ModelCapabilities
}

/**
 * Returns a language model of the AI SDK (`ai` 6) as a model: for agents, conversations and middleware of this library.
 * Warnings of the SDK's provider are losses.
 *
 * @example
 * const { text } = await fromLanguageModel(mistral('mistral-large-latest')).generate('Hi')
 */
export function fromLanguageModel(
  languageModel: LanguageModelV3,
  options: FromLanguageModelOptions = {},
): Model {
  return withTypedErrors(() => {
    checkOptions('fromLanguageModel()', options, { capabilities: true })
    checkVersion(languageModel)
    const { provider, modelId: name } = languageModel
    return Object.freeze<Model>({
      name,
      provider,
      capabilities: options.capabilities ?? {},
      generate: async (input, callOptions = {}) => {
        const options = readOptions('generate()', callOptions)
        return generate(languageModel, toRequest(input, options), options)
      },
      stream: (input, callOptions = {}) => {
        const options = readOptions('stream()', callOptions)
        return createReplyStream(
          (signal) => stream(languageModel, toRequest(input, options), { ...options, signal }),
          options.signal,
        )
      },
    })
  }, [languageModel, options])
}

function toRequest(input: ModelInput, options: CallOptions): ChatRequest {
  return withTypedErrors(() => toChatRequest(input, options))
}

function checkVersion(languageModel: LanguageModelV3): void {
  if (!isObject(languageModel)) return throwWrongType(languageModel, undefined, 'a language model')
  const found: unknown = languageModel.specificationVersion
  if (found === 'v3') {
    checkMethods(languageModel, 'languageModel', 'a language model', ['doGenerate', 'doStream'])
    return
  }
  throw new InterlinguaError('invalid-value', 'The language model has another specification version', {
    path: '/specificationVersion',
    found: quoteOrDescribe(found),
    expected: 'v3',
    hint: 'Use a provider package for `ai` 6.',
  })
}

async function generate(
  languageModel: LanguageModelV3,
  request: ChatRequest,
  options: CallOptions,
): Promise<Reply> {
  const timer = startCallTimer()
  const { call, losses } = writeCallOptions(request, options)
  const result = await languageModel.doGenerate(call)
  const events = readResult(result, languageModel.modelId)
  return createReply(await accumulate(events), {
    losses: [...losses, ...readWarnings(result.warnings)],
    timing: timer.getTiming(),
    ...(options.includeRaw && { raw: toRaw(result) }),
  })
}

/** Returns the events of a complete result: those of a stream with the same content. */
function readResult(result: LanguageModelV3GenerateResult, model: string): readonly ChatEvent[] {
  const reader = new SdkStreamPartReader(model)
  const { content, response, usage, finishReason } = result
  return [
    ...reader.read({ type: 'response-metadata', ...response }),
    ...content.flatMap((part, index) => {
      if (part.type !== 'text' && part.type !== 'reasoning') return reader.read(part)
      const id = String(index)
      const { type, text, providerMetadata } = part
      return [
        ...reader.read({ type: `${type}-start`, id }),
        ...reader.read({ type: `${type}-delta`, id, delta: text }),
        ...reader.read({ type: `${type}-end`, id, ...(providerMetadata && { providerMetadata }) }),
      ]
    }),
    ...reader.read({ type: 'finish', usage, finishReason }),
  ]
}

async function* stream(
  languageModel: LanguageModelV3,
  request: ChatRequest,
  options: CallOptions,
): AsyncGenerator<ChatEvent, Reply, undefined> {
  const timer = startCallTimer()
  const { call, losses } = writeCallOptions(request, options)
  for (const loss of losses) yield toLossEvent(loss)
  const { stream: parts } = await languageModel.doStream(call)
  const events = transformIterable(parts, new SdkStreamPartReader(languageModel.modelId))
  const { response, losses: found } = yield* forwardAndAccumulate(recordFirstEventTime(events, timer))
  return createReply(response, { losses: [...losses, ...found], timing: timer.getTiming() })
}

function toLossEvent(loss: Loss): ChatEvent {
  return { type: 'loss', loss }
}

function toRaw({ request, response }: LanguageModelV3GenerateResult): NonNullable<Reply['raw']> {
  return { request: (request?.body ?? null) as Json, response: (response?.body ?? null) as Json }
}
