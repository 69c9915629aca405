import * as main from 'interlingua'
import * as agent from 'interlingua/agent'
import * as mcp from 'interlingua/agent/mcp'
import * as agUi from 'interlingua/formats/ag-ui'
import * as aiSdkUi from 'interlingua/formats/ai-sdk-ui'
import * as aiSdkModelMessages from 'interlingua/formats/ai-sdk-model-messages'
import * as aiSdkUiMessages from 'interlingua/formats/ai-sdk-ui-messages'
import * as dartantic from 'interlingua/formats/dartantic'
import * as instructorPhp from 'interlingua/formats/instructor-php'
import * as langchain from 'interlingua/formats/langchain'
import * as laragent from 'interlingua/formats/laragent'
import * as llmMsgIo from 'interlingua/formats/llm-msg-io'
import * as neuronAi from 'interlingua/formats/neuron-ai'
import * as agUiMessages from 'interlingua/formats/ag-ui-messages'
import * as openaiAgents from 'interlingua/formats/openai-agents'
import * as pydanticAi from 'interlingua/formats/pydantic-ai'
import * as mastra from 'interlingua/formats/mastra'
import * as openTelemetry from 'interlingua/formats/opentelemetry'
import * as mcpMessages from 'interlingua/formats/mcp'
import * as pi from 'interlingua/formats/pi'
import * as wireMessages from 'interlingua/formats/wire-messages'
import * as gateway from 'interlingua/gateway'
import * as gatewayNode from 'interlingua/gateway/node'
import * as golden from 'interlingua/golden'
import * as handlers from 'interlingua/handlers'
import * as memory from 'interlingua/memory'
import * as postgresMemory from 'interlingua/memory/postgres'
import * as sqliteMemory from 'interlingua/memory/sqlite'
import * as memoryTesting from 'interlingua/memory/testing'
import * as models from 'interlingua/models'
import * as node from 'interlingua/node'
import * as aiSdkAdapter from 'interlingua/adapters/ai-sdk'
import * as langchainAdapter from 'interlingua/adapters/langchain'
import * as otel from 'interlingua/otel'
import * as providers from 'interlingua/providers'
import * as stores from 'interlingua/stores'
import * as dbos from 'interlingua/stores/dbos'
import * as jsonl from 'interlingua/stores/jsonl'
import * as postgres from 'interlingua/stores/postgres'
import * as redis from 'interlingua/stores/redis'
import * as sqlite from 'interlingua/stores/sqlite'
import * as testing from 'interlingua/stores/testing'
import * as dialectTesting from 'interlingua/dialects/testing'
import * as mockProviders from 'interlingua/testing/providers'
import { expect, test } from 'vitest'

test('[r64] the public surface of interlingua is this and nothing else', () => {
  expect(Object.keys(main).toSorted()).toMatchInlineSnapshot(`
    [
      "CLIENT_SETTINGS",
      "FINISH_REASONS",
      "InterlinguaError",
      "MessageStore",
      "Messages",
      "PROVIDER_ERROR_KINDS",
      "ProviderError",
      "ROLES",
      "StreamError",
      "accumulate",
      "addContent",
      "addUsage",
      "assistant",
      "audio",
      "baseRules",
      "createId",
      "describeCall",
      "detect",
      "developer",
      "dialects",
      "file",
      "fromJson",
      "groupLosses",
      "image",
      "isPlainText",
      "json",
      "message",
      "messageKind",
      "rawMessage",
      "reasoning",
      "reasoningOf",
      "refusal",
      "renderMessages",
      "repair",
      "sameContent",
      "sanitize",
      "sanitizeRequest",
      "summarizeLosses",
      "system",
      "text",
      "textOf",
      "toEvents",
      "toJson",
      "toMessage",
      "toMessages",
      "toText",
      "toolCall",
      "toolCallsOf",
      "toolResult",
      "toolResults",
      "toolResultsOf",
      "translateRequest",
      "translateResponse",
      "translateStream",
      "updateMessage",
      "updatePart",
      "user",
      "validate",
      "video",
      "withArguments",
      "withRole",
    ]
  `)
})

test('the public surface of interlingua/node is this and nothing else', () => {
  expect(Object.keys(node).toSorted()).toMatchInlineSnapshot(`
    [
      "audioFromFile",
      "connectToBedrock",
      "connectToVertex",
      "createGuardedFetch",
      "fileFromFile",
      "imageFromFile",
      "readParquetRows",
      "videoFromFile",
    ]
  `)
})

test('the public surface of interlingua/models is this and nothing else', () => {
  expect(Object.keys(models).toSorted()).toEqual([
    'effortBudgets',
    'findModelFamily',
    'findNearestEffort',
    'modelFamilies',
    'toEffort',
  ])
})

test('the public surface of interlingua/formats/ai-sdk-ui is this and nothing else', () => {
  expect(Object.keys(aiSdkUi).toSorted()).toEqual([
    'buildMessageMetadata',
    'readUIChatRequest',
    'toUIMessageStream',
    'toUIMessageStreamBytes',
    'uiMessageStreamHeaders',
  ])
})

test('each message format is an entry of its own', () => {
  expect(Object.keys(aiSdkModelMessages)).toEqual(['aiSdkModelMessages'])
  expect(Object.keys(aiSdkUiMessages)).toEqual(['aiSdkUiMessages'])
  expect(Object.keys(dartantic)).toEqual(['dartantic'])
  expect(Object.keys(instructorPhp)).toEqual(['instructorPhp'])
  expect(Object.keys(langchain)).toEqual(['langchain'])
  expect(Object.keys(laragent)).toEqual(['laragent'])
  expect(Object.keys(llmMsgIo).toSorted()).toEqual(['llmMsgIo', 'writeStf'])
  expect(Object.keys(neuronAi)).toEqual(['neuronAi'])
  expect(Object.keys(agUiMessages)).toEqual(['agUiMessages'])
  expect(Object.keys(openaiAgents)).toEqual(['openaiAgents'])
  expect(Object.keys(pydanticAi)).toEqual(['pydanticAi'])
  expect(Object.keys(mastra)).toEqual(['mastra'])
  expect(Object.keys(openTelemetry)).toEqual(['openTelemetry'])
  expect(Object.keys(mcpMessages)).toEqual(['mcpMessages'])
  expect(Object.keys(pi).toSorted()).toEqual(['pi', 'piSessions'])
  expect(Object.keys(wireMessages).toSorted()).toEqual([
    'anthropicMessages',
    'bedrockMessages',
    'chatMessages',
    'cohereMessages',
    'geminiContents',
    'interactionSteps',
    'mistralMessages',
    'ollamaMessages',
    'responsesItems',
  ])
})

test('the public surface of interlingua/providers is this and nothing else', () => {
  expect(Object.keys(providers).toSorted()).toEqual([
    'anthropic',
    'azure',
    'bedrock',
    'caching',
    'calculateCost',
    'cerebras',
    'cohere',
    'createRegistry',
    'deepseek',
    'defaultSettings',
    'defineProvider',
    'demo',
    'fallback',
    'findCatalogEntry',
    'fireworks',
    'gemini',
    'geminiInteractions',
    'groq',
    'loadPrices',
    'logging',
    'mistral',
    'model',
    'ollama',
    'ollamaCompatible',
    'openai',
    'openaiChat',
    'openaiCompatible',
    'openaiResponses',
    'openrouter',
    'perplexity',
    'providers',
    'rateLimit',
    'resolveMedia',
    'scripted',
    'together',
    'vertex',
    'wrapModel',
    'xai',
  ])
})

test('the public surface of interlingua/agent is this and nothing else', () => {
  expect(Object.keys(agent).toSorted()).toEqual([
    'Agent',
    'AgentStream',
    'MessageQueue',
    'OutputError',
    'RunError',
    'ToolExecutor',
    'cosineSimilarity',
    'createOutputSpec',
    'directRunner',
    'embedAll',
    'joinTools',
    'renderText',
    'selectOrchestrator',
    'tool',
  ])
})

test.each([
  [
    'stores',
    stores,
    [
      'Conversation',
      'RunTakenOverError',
      'chainStrategies',
      'createKeyring',
      'createStorage',
      'createStreamLog',
      'dropToolTraffic',
      'estimateTokens',
      'keepLast',
      'memoryStorage',
      'memoryStreamLog',
      'replicated',
      'summarize',
      'tokenBudget',
    ],
  ],
  ['formats/ag-ui', agUi, ['agUiHeaders', 'readAgUiRunInput', 'toAgUi', 'toAgUiBytes']],
  ['adapters/langchain', langchainAdapter, ['fromChatModel', 'toChatModel', 'toMessageHistory']],
  ['otel', otel, ['agentTracing', 'gatewayTracing', 'traceStorage', 'tracing']],
  ['agent/mcp', mcp, ['connectMcp']],
  ['adapters/ai-sdk', aiSdkAdapter, ['fromLanguageModel', 'toLanguageModel', 'uiMessageHistory']],
  ['gateway', gateway, ['ConnectionMemory', 'createGateway', 'hashKey']],
  ['gateway/node', gatewayNode, ['postgresGatewayState', 'startGateway']],
  ['golden', golden, ['listGoldenCases', 'loadGoldenCase']],
  ['handlers', handlers, ['createAgUiHandler', 'createUIChatHandler', 'loadUIMessages']],
  ['stores/jsonl', jsonl, ['jsonlStorage']],
  ['stores/sqlite', sqlite, ['sqliteStorage', 'sqliteStreamLog']],
  ['stores/postgres', postgres, ['postgresStorage', 'postgresStreamLog']],
  ['stores/redis', redis, ['redisStorage']],
  ['stores/dbos', dbos, ['dbosRunner', 'durableWorker']],
  ['stores/testing', testing, ['storageConformanceTests']],
  [
    'dialects/testing',
    dialectTesting,
    ['ConformanceError', 'dialectConformanceTests', 'runDialectConformance'],
  ],
  ['memory', memory, ['createMemoryStore', 'inProcessMemory', 'memoryTools', 'recallMemories']],
  ['memory/sqlite', sqliteMemory, ['sqliteMemory']],
  ['memory/postgres', postgresMemory, ['postgresMemory']],
  ['memory/testing', memoryTesting, ['memoryConformanceTests']],
  [
    'testing/providers',
    mockProviders,
    ['findRequestProblems', 'mockProvider', 'requestRules', 'startMockServer'],
  ],
])('the public surface of interlingua/%s is this and nothing else', (_entry, module, names) => {
  expect(Object.keys(module).toSorted()).toEqual(names)
})
