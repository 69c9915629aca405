import type { BaseMessage } from '@langchain/core/messages'
import { CAPABILITY_NAMES, type ModelCapabilities } from '../../canonical/model/capabilities.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Origin } from '../../canonical/model/message.ts'
import type { CallOptions, Model, Reply } from '../../canonical/model/model-interface.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { accumulate } from '../../canonical/stream/accumulate.ts'
import { toChatRequest } from '../../client/check-call-input.ts'
import { createReply, recordFirstEventTime, startCallTimer } from '../../client/reply.ts'
import { createReplyStream, forwardAndAccumulate } from '../../client/reply-stream.ts'
import { InterlinguaError } from '../../errors.ts'
import { rejectOnAbort, throwIfAborted } from '../../wire/cancellation.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { transformIterable } from '../../wire/iterable-source.ts'
import { describeType, isObject } from '../../wire/json.ts'
import { createLiveMessages, loadLangChainCore } from './langchain-core.ts'
import { type LangChainMessage, MessageChunkReader } from './message-chunk-reader.ts'
import { writeCall, type WrittenCall } from './write-call-options.ts'

/** The methods of a chat model that the adapter calls, with or without tools. */
interface ChatRunnable {
  invoke(messages: BaseMessage[], options?: object): Promise<LangChainMessage>
  stream(messages: BaseMessage[], options?: object): Promise<AsyncIterable<LangChainMessage>>
}

/** A chat model of LangChain: every class that extends `BaseChatModel`. */
export interface LangChainChatModel extends ChatRunnable {
  _llmType(): string
  bindTools?(tools: object[], options?: object): ChatRunnable
}

/** Options of {@link fromChatModel}. */
export interface FromChatModelOptions {
  /** The name of the model. Default: the field `model` of the chat model. */
  readonly name?: string
  /** The name of the provider. Default: the type that the chat model reports, such as `openai`. */
  readonly provider?: string
  /** Default: typed output through a tool, because chat models have no common option for it. */
  readonly capabilities?: ModelCapabilities
}

/**
 * Returns a chat model of LangChain (`@langchain/core` 1) as a model: for agents, conversations and middleware of this
 * library. Settings such as the temperature are fields of the chat model; those of a request are reported as losses.
 *
 * @example
 * const { text } = await fromChatModel(new ChatMistralAI({ temperature: 0 })).generate('Hi')
 */
export function fromChatModel(chatModel: LangChainChatModel, options: FromChatModelOptions = {}): Model {
  return withTypedErrors(() => {
    checkOptions('fromChatModel()', options, { name: true, provider: true, capabilities: CAPABILITY_NAMES })
    checkChatModel(chatModel)
    const supportsTools = chatModel.bindTools !== undefined
    const { name = findName(chatModel), provider = chatModel._llmType() } = options
    const capabilities = { supportsTools, supportsOutputSchema: false, ...options.capabilities }
    const origin: Origin = { dialect: 'langchain', provider, model: name }
    return Object.freeze<Model>({
      name,
      provider,
      capabilities,
      generate: async (input, callOptions = {}) =>
        generate(chatModel, toChatRequest(input, callOptions), callOptions, origin),
      stream: (input, callOptions = {}) =>
        createReplyStream(
          (signal) => stream(chatModel, toChatRequest(input, callOptions), signal, origin),
          callOptions.signal,
        ),
    })
  }, [chatModel, options])
}

function checkChatModel(given: unknown): void {
  const isChatModel =
    isObject(given) && typeof given['invoke'] === 'function' && typeof given['_llmType'] === 'function'
  if (isChatModel) return
  throw new InterlinguaError('invalid-type', 'The chat model is not a chat model of LangChain', {
    path: '',
    found: describeType(given),
    expected: 'an object that extends BaseChatModel',
    hint: 'Pass the model itself, not the result of `bindTools`, `withConfig` or `pipe`.',
  })
}

/** The fields in which chat models keep the name of the model. */
const NAME_FIELDS = ['model', 'modelName', 'modelId'] as const

function findName(chatModel: LangChainChatModel): string {
  const fields = chatModel as { readonly [name in (typeof NAME_FIELDS)[number]]?: unknown }
  const found = NAME_FIELDS.map((field) => fields[field]).find((name) => typeof name === 'string')
  return typeof found === 'string' ? found : chatModel._llmType()
}

async function generate(
  chatModel: LangChainChatModel,
  request: ChatRequest,
  { signal }: CallOptions,
  origin: Origin,
): Promise<Reply> {
  const timer = startCallTimer()
  const call = writeCall(request)
  const message = await rejectOnAbort(invoke(chatModel, call, signal), signal)
  const reader = new MessageChunkReader(origin)
  const response = await accumulate([...reader.readMessage(message), ...reader.end(undefined)])
  return createReply(response, { losses: call.losses, timing: timer.getTiming() })
}

async function invoke(
  chatModel: LangChainChatModel,
  call: WrittenCall,
  signal: AbortSignal | undefined,
): Promise<LangChainMessage> {
  const { runnable, messages, options } = await prepare(chatModel, call, signal)
  return runnable.invoke(messages, options)
}

async function* stream(
  chatModel: LangChainChatModel,
  request: ChatRequest,
  signal: AbortSignal,
  origin: Origin,
): AsyncGenerator<ChatEvent, Reply, undefined> {
  const timer = startCallTimer()
  const call = writeCall(request)
  for (const loss of call.losses) yield { type: 'loss', loss }
  try {
    const { runnable, messages, options } = await prepare(chatModel, call, signal)
    const chunks = await runnable.stream(messages, options)
    const events = transformIterable(chunks, new MessageChunkReader(origin), { signal })
    const { response, losses } = yield* forwardAndAccumulate(recordFirstEventTime(events, timer))
    return createReply(response, { losses: [...call.losses, ...losses], timing: timer.getTiming() })
  } catch (error) {
    // Chat models throw errors of their own after an abort.
    throwIfAborted(signal)
    throw error
  }
}

/** Binds the tools, and creates the messages with the classes of the application. */
async function prepare(
  chatModel: LangChainChatModel,
  { tools, toolChoice, stop, messages }: WrittenCall,
  signal: AbortSignal | undefined,
): Promise<{ runnable: ChatRunnable; messages: BaseMessage[]; options: object }> {
  const core = await loadLangChainCore()
  return {
    runnable: tools.length === 0 ? chatModel : bindTools(chatModel, tools, toolChoice),
    messages: createLiveMessages(messages, core),
    options: { ...(stop && { stop }), ...(signal && { signal }) },
  }
}

function bindTools(
  chatModel: LangChainChatModel,
  tools: WrittenCall['tools'],
  choice: string | undefined,
): ChatRunnable {
  const bound = chatModel.bindTools?.([...tools], choice === undefined ? {} : { tool_choice: choice })
  if (bound !== undefined) return bound
  throw new InterlinguaError('unsupported', 'The chat model has no method `bindTools`', {
    path: '/tools',
    hint: 'Send the request without tools, or use a chat model that calls tools.',
  })
}
