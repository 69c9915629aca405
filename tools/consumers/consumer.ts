// Typical consumer code, type-checked against the packed package under strict settings. Never run.
import {
  addContent,
  assistant,
  type AssistantMessage,
  type ChatEvent,
  type ChatRequest,
  dialects,
  updateMessage,
  fromJson,
  image,
  InterlinguaError,
  type Message,
  Messages,
  MessageStore,
  type Part,
  type Problem,
  renderMessages,
  repair,
  sanitize,
  type StoredForm,
  system,
  textOf,
  toJson,
  toolCall,
  toolResult,
  translateRequest,
  translateResponse,
  user,
  validate,
  type WireRequest,
} from 'interlingua'
import { parseMessages } from 'interlingua/parse'
import { type StandardSchema } from 'interlingua/schema'
import { type AnthropicRequest } from 'interlingua/dialects/anthropic'
import { type OpenAIChatResponse } from 'interlingua/dialects/openai-chat'
import { type DialectConformanceTest, dialectConformanceTests } from 'interlingua/dialects/testing'
import { Agent, type AgentResult, type AgentTool, tool as agentTool } from 'interlingua/agent'
import { connectMcp } from 'interlingua/agent/mcp'
import { type AgUiEvent, toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStreamBytes, uiMessageStreamHeaders } from 'interlingua/formats/ai-sdk-ui'
import { createAgUiHandler, createUIChatHandler, type RequestHandler } from 'interlingua/handlers'
import { inProcessMemory, type MemoryStore, memoryTools } from 'interlingua/memory'
import { imageFromFile } from 'interlingua/node'
import { model } from 'interlingua/providers'

const call = toolCall({ name: 'weather', arguments: { city: 'Oslo' } })
const log: Messages = Messages.of(user('hi'), assistant(['Let me look.', call]))
  .toolResults(toolResult(call, { celsius: 4 }))
  .assistant('4 °C', { finish: { reason: 'stop' } })

export const size: number = log.size
export const texts: string[] = [...log].map((message: Message) => textOf(message))
export const request: ChatRequest = { model: 'm', messages: log, toolChoice: { name: 'weather' } }
export const stored: StoredForm = toJson(request)
export const restored: Messages = fromJson(stored)
export const same: ChatRequest = fromJson(stored, 'request')
export const problems: readonly Problem[] = validate(repair(parseMessages(JSON.parse('[]'))))
export const clean: readonly Message[] = sanitize(log, {
  urls: (url) => url.hostname === 'example.com',
}).value
export const store: MessageStore = MessageStore.of().section('system').append(system('Hi {{name}}'))
export const rendered: Messages = renderMessages(store.toMessages(), { name: 'Ada' })
export const edited: AssistantMessage = updateMessage(assistant('a'), {
  content: ['b', call],
  name: undefined,
})
export const longer: Message = addContent(user('a'), 'b', image('https://example.com/cat.png'))
export const picture: Promise<Part> = imageFromFile('cat.png')

export const body: AnthropicRequest = dialects.anthropic.encodeRequest(request).value
export const conformance: readonly DialectConformanceTest[] = dialectConformanceTests({
  dialect: dialects.anthropic,
  samples: { requests: { hello: { model: 'm', messages: [] } }, responses: {} },
})
export const asks: true = dialects['openai-chat'].encodeRequest({ ...request, stream: true }).value.stream
export const other: WireRequest<'anthropic'> = translateRequest(
  {},
  { from: 'openai-chat', to: 'anthropic' },
).value
export const answer: OpenAIChatResponse = translateResponse(
  {},
  { from: 'anthropic', to: 'openai-chat' },
).value
export const tool: string | undefined = body.tools?.[0]?.name

export const page: Response = new Response(toUIMessageStreamBytes([]), { headers: uiMessageStreamHeaders })
export const shown: AsyncIterable<AgUiEvent> = toAgUi([], {
  threadId: 't',
  runId: 'r',
  onLoss: ({ rule }) => (rule === 'correction-omitted' ? 'error' : 'allow'),
})

/** The types of a tool's input and of typed output are inferred from the schema. */
declare const schema: StandardSchema<unknown, { readonly celsius: number }>
export const weather: AgentTool = agentTool({
  name: 'weather',
  input: schema,
  run: ({ celsius }) => celsius + 1,
})
export const agent: Agent = new Agent({ model: model('openai:m'), tools: [weather], limits: { steps: 3 } })
export const chat: RequestHandler = createUIChatHandler({ agent, maxBodyBytes: 1000 })
export const agUi: RequestHandler = createAgUiHandler(() => new Response(null, { status: 401 }))
export const typed: Promise<AgentResult<{ readonly celsius: number }>> = agent.sendFor(schema, 'Oslo?')
export const served: Promise<readonly AgentTool[]> = connectMcp({ url: 'https://example.com/mcp' }).then(
  (server) => server.tools(),
)

export const memory: MemoryStore = inProcessMemory({ limits: { maxMemories: 100 } })
export const remembering: readonly AgentTool[] = memoryTools(memory, { tenant: 'ada' })

/** The compiler checks that a switch over a union is exhaustive. */
export function textOfEvent(event: ChatEvent): string {
  return event.type === 'text-delta' ? event.text : event.type === 'part-end' ? (event.part?.type ?? '') : ''
}

// @ts-expect-error a call is no part of a user's message
user(call)

// @ts-expect-error messages are readonly
user('a').role = 'assistant'

export function reason(error: unknown): string | undefined {
  return error instanceof InterlinguaError ? `${error.code} ${error.path ?? ''}` : undefined
}
