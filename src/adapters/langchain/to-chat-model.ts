import { checkMethods } from '../../wire/check-methods.ts'
import type { BaseChatModel, BindToolsInput } from '@langchain/core/language_models/chat_models'
import type { ModelProfile } from '@langchain/core/language_models/profile'
import type { BaseMessage } from '@langchain/core/messages'
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs'
import type { ModelCapabilities } from '../../canonical/model/capabilities.ts'
import type { Model } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { StreamError } from '../../canonical/stream/accumulate.ts'
import { ProviderError } from '../../errors.ts'
import { langchain } from '../../formats/langchain/index.ts'
import { findModelFamily } from '../../models/find-model-family.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { withTypedRejections } from '../../wire/typed-errors.ts'
import { transformIterable } from '../../wire/iterable-source.ts'
import { omitUndefined } from '../../wire/json.ts'
import { createChunkDriver, writeAnswer } from './chat-model-answer.ts'
import { type LangChainCore, loadLangChainCore } from './langchain-core.ts'
import {
  CHAT_MODEL_SETTINGS,
  type ChatModelCallOptions,
  type ChatModelSettings,
  readCallOptions,
  readTool,
} from './read-call-options.ts'

/** Options of LangChain that a chat model accepts. */
type BaseOptions = Pick<
  NonNullable<ConstructorParameters<typeof BaseChatModel>[0]>,
  'callbacks' | 'tags' | 'metadata' | 'verbose' | 'cache' | 'disableStreaming' | 'outputVersion'
>

const BASE_OPTIONS: OptionNames<BaseOptions> = {
  callbacks: true,
  tags: true,
  metadata: true,
  verbose: Boolean,
  cache: true,
  disableStreaming: Boolean,
  outputVersion: true,
}

/** Options of {@link toChatModel}: settings of every call, and options of LangChain such as `callbacks` and `tags`. */
export interface ChatModelOptions extends ChatModelSettings, BaseOptions {}

/** A model of this library as a chat model of LangChain. */
export type InterlinguaChatModel = BaseChatModel<ChatModelCallOptions> &
  Required<Pick<BaseChatModel<ChatModelCallOptions>, 'bindTools'>>

/**
 * Returns a model as a chat model of LangChain (`@langchain/core` 1): for `createAgent`, chains, `bindTools` and
 * `withStructuredOutput`. Signatures of reasoning travel in the content blocks, so that the next call of the same
 * conversation contains them. Losses are in `response_metadata.losses`. Retries are those of the model.
 *
 * @example
 * const model = await toChatModel(anthropic('claude-sonnet-5'), { temperature: 0 })
 * const agent = createAgent({ model, tools: [weather] })
 */
export function toChatModel(model: Model, options: ChatModelOptions = {}): Promise<InterlinguaChatModel> {
  return withTypedRejections(async () => {
    checkOptions('toChatModel()', options, { ...CHAT_MODEL_SETTINGS, ...BASE_OPTIONS })
    checkMethods(model, 'model', 'a model', ['generate', 'stream'])
    return createChatModel(model, options, await loadLangChainCore())
  })
}

function createChatModel(model: Model, options: ChatModelOptions, core: LangChainCore): InterlinguaChatModel {
  const names = Object.keys(CHAT_MODEL_SETTINGS) as (keyof ChatModelSettings)[]
  const settings: ChatModelSettings = omitUndefined(
    Object.fromEntries(names.map((name) => [name, options[name]])),
  )
  const baseNames = Object.keys(BASE_OPTIONS) as (keyof BaseOptions)[]
  const base = omitUndefined(Object.fromEntries(baseNames.map((name) => [name, options[name]])))
  const { name, provider } = model

  /** The class extends the base class of the application, which is known only after it was imported. */
  class ChatInterlingua extends core.BaseChatModel<ChatModelCallOptions> {
    static override lc_name(): string {
      return 'ChatInterlingua'
    }

    override _llmType(): string {
      return 'interlingua'
    }

    get model(): string {
      return name
    }

    override get profile(): ModelProfile {
      return toProfile({ ...findModelFamily(name), ...model.capabilities })
    }

    override bindTools(
      tools: BindToolsInput[],
      kwargs?: Partial<ChatModelCallOptions>,
    ): ReturnType<InterlinguaChatModel['withConfig']> {
      return this.withConfig({ ...kwargs, tools: tools.map((tool, index) => readTool(tool, index, core)) })
    }

    override async _generate(
      messages: BaseMessage[],
      callOptions: this['ParsedCallOptions'],
    ): Promise<ChatResult> {
      const { signal } = callOptions
      const request = readRequest(messages, callOptions)
      const reply = await model
        .generate(request, signal === undefined ? {} : { signal })
        .catch((error: unknown) => throwForLangChain(error, core))
      const message = writeAnswer(reply, core)
      const { usage } = reply
      const tokenUsage = usage && {
        promptTokens: usage.inputTokens,
        completionTokens: usage.outputTokens,
        totalTokens: usage.totalTokens,
      }
      return { generations: [{ text: message.text, message }], ...(usage && { llmOutput: { tokenUsage } }) }
    }

    override async *_streamResponseChunks(
      messages: BaseMessage[],
      callOptions: this['ParsedCallOptions'],
      runManager?: Parameters<InterlinguaChatModel['_streamResponseChunks']>[2],
    ): AsyncGenerator<ChatGenerationChunk> {
      const { signal } = callOptions
      const events = model.stream(readRequest(messages, callOptions), signal === undefined ? {} : { signal })
      try {
        for await (const fields of transformIterable(events, createChunkDriver())) {
          const message = new core.AIMessageChunk(fields as never)
          const chunk = new core.ChatGenerationChunk({ text: message.text, message })
          yield chunk
          await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
            chunk,
          })
        }
      } catch (error) {
        throwForLangChain(error, core)
      }
    }

    /** Part of the key of a cache of LangChain, and of its traces. */
    override _identifyingParams(): Record<string, unknown> {
      return { provider, model: name, ...settings }
    }

    override invocationParams(callOptions?: this['ParsedCallOptions']): Record<string, unknown> {
      return { provider, model: name, ...readCallOptions(callOptions ?? {}, settings, core) }
    }

    override getLsParams(callOptions: this['ParsedCallOptions']): ReturnType<BaseChatModel['getLsParams']> {
      const { temperature = settings.temperature, maxOutputTokens = settings.maxOutputTokens } = callOptions
      return {
        ls_provider: provider,
        ls_model_name: name,
        ls_model_type: 'chat',
        ...omitUndefined({
          ls_temperature: temperature,
          ls_max_tokens: maxOutputTokens,
          ls_stop: callOptions.stop,
        }),
      }
    }

    /** Estimates tokens offline; the base class downloads a table of another model. */
    override async getNumTokens(content: BaseMessage['content']): Promise<number> {
      const parts = typeof content === 'string' ? [content] : content.map((block) => block['text'] ?? '')
      return Math.ceil(parts.map(String).join('').length / CHARACTERS_PER_TOKEN)
    }
  }

  function readRequest(messages: BaseMessage[], callOptions: ChatModelCallOptions): ChatRequest {
    const { value } = langchain.fromMessages(messages)
    return { ...readCallOptions(callOptions, settings, core), messages: value }
  }

  return new ChatInterlingua(base)
}

const CHARACTERS_PER_TOKEN = 4

/** Returns what LangChain asks about a model. An absent fact means that the model supports it. */
function toProfile(facts: ModelCapabilities): ModelProfile {
  return omitUndefined({
    maxInputTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    toolCalling: facts.supportsTools !== false,
    toolChoice: facts.forcedTools !== false,
    structuredOutput: facts.supportsOutputSchema !== false && facts.supportsOutputWithTools !== false,
    reasoningOutput: facts.thinkingModes?.some((mode) => mode !== 'off'),
  })
}

/** Throws an error as LangChain recognizes it: its middleware shortens a conversation after a `ContextOverflowError`. */
function throwForLangChain(error: unknown, core: LangChainCore): never {
  const isTyped = error instanceof ProviderError || error instanceof StreamError
  if (isTyped && error.kind === 'context-overflow') throw core.ContextOverflowError.fromError(error)
  throw error
}
