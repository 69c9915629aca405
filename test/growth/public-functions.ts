/** Why the law need not call a function. */
const BUILDS = 'builds one value from what the application writes'
const NAMES = 'works on one name, number or time'
const OPENS = 'opens a connection or a file; what it returns has the functions of `memoryStorage`'
const OPENS_FILE = 'yields the rows of a file; the work is that of `hyparquet`'
const READS_PACKAGE = 'reads a file of the package'
const CONNECTS = 'creates a model or a server; its work is that of the dialects'
const ERROR = 'an error'
const RUNS_TESTS = 'runs checks against what their user opens'
const IN_DIALECTS = 'a piece of the dialects, which are measured as a whole'

/** In place of the functions of an entry: all of them. */
export const ALL = '*'

/**
 * How the law reaches each public function, by entry: by an operation whose title starts with this text, or not at all, for a
 * reason. A function of several entries is listed at the first.
 */
export const publicFunctions: { readonly [entry: string]: { readonly [reachedBy: string]: string } } = {
  '.': {
    Messages: 'Messages toMessages',
    MessageStore: 'MessageStore',
    'toEvents and accumulate': 'accumulate toEvents',
    'change each message': 'addContent updateMessage updatePart withRole',
    'read each message':
      'describeCall isPlainText messageKind reasoningOf sameContent textOf toMessage toolCallsOf toolResultsOf withArguments',
    addUsage: 'addUsage',
    detect: 'detect',
    'toJson and fromJson': 'fromJson toJson',
    'translateRequest 1': 'groupLosses summarizeLosses translateRequest',
    'translateResponse 1': 'translateResponse',
    'translateStream 1': 'translateStream',
    rawMessage: 'rawMessage',
    renderMessages: 'renderMessages',
    toolResults: 'toolResults',
    repair: 'repair',
    sanitize: 'sanitize',
    sanitizeRequest: 'sanitizeRequest',
    validate: 'validate',
    middleware: 'toText',
    [BUILDS]:
      'assistant audio developer file image json message reasoning refusal system text toolCall toolResult user video',
    [NAMES]: 'createId',
    [ERROR]: 'InterlinguaError ProviderError StreamError',
  },
  './parse': {
    'parse each message': 'isMessage isMessageLike isPart parseMessage parseMessages parsePart parseToolCall',
    'read each message': 'parseArguments stringifyArguments',
    parseRequest: 'parseRequest',
    parseResponse: 'parseResponse',
    [NAMES]: 'isRole isSystemRole parseRole',
  },
  './schema': {
    'fitSchema openai-strict': 'fitSchema',
    stripStrictNulls: 'stripStrictNulls',
    validateValue: 'validateValue',
    toJsonSchema: 'toJsonSchema',
    [BUILDS]: 'storedSchema',
  },
  './content': {
    'read each message':
      'attachSignature digestContent isEmptyContent isEmptyMessage isEmptyPart isSignatureValid',
    'change each message': 'getExtra hasExtra withExtra withoutExtra',
    'items by key': 'getItem hasItem removeItem setItem',
    [NAMES]: 'mediaTypeOf',
    [BUILDS]: 'mediaFromBlob',
  },
  './models': { [NAMES]: 'findModelFamily findNearestEffort toEffort' },
  './dialects/kit': {
    [IN_DIALECTS]:
      'convertedSetting createBlockCodec createDefaultErrorCodec createSseFraming defineDialect defineSettings directSetting isDialect readMedia readReasoning readText readTool readToolCall readToolResult unsupportedSetting',
  },
  './dialects/kit/engine': { [IN_DIALECTS]: ALL },
  './dialects/openai-chat': { [IN_DIALECTS]: 'defineFlavor' },
  './dialects/openai-responses': { [IN_DIALECTS]: 'defineFlavor' },
  './dialects/anthropic': { [IN_DIALECTS]: 'defineFlavor' },
  './dialects/gemini': { [IN_DIALECTS]: 'defineFlavor' },
  './dialects/testing': {
    [RUNS_TESTS]: 'dialectConformanceTests runDialectConformance',
    [ERROR]: 'ConformanceError',
  },
  './node': {
    [BUILDS]: 'audioFromFile fileFromFile imageFromFile videoFromFile',
    [CONNECTS]: 'connectToBedrock connectToVertex createGuardedFetch',
    [OPENS_FILE]: 'readParquetRows',
  },
  './providers': {
    middleware: 'caching defaultSettings fallback logging rateLimit wrapModel',
    'scripted in a wire format': 'scripted',
    resolveMedia: 'resolveMedia',
    [NAMES]: 'calculateCost findCatalogEntry loadPrices',
    [CONNECTS]:
      'anthropic azure bedrock cerebras cohere createRegistry deepseek defineProvider demo fireworks gemini geminiInteractions groq mistral model ollama ollamaCompatible openai openaiChat openaiCompatible openaiResponses openrouter perplexity together vertex xai',
  },
  './formats': {
    'fromTranscript, all branches': 'currentBranch fromTranscript',
    fromConversations: 'fromConversations',
    'fromMessages langchain': 'detectConversationFormat fromMessages',
    'toConversation sharegpt': 'toConversation',
    'toMessages langchain': 'toMessages',
    toSessionLines: 'toSessionLines',
  },
  './formats/llm-msg-io': { 'toMessages llm-msg-io': 'writeStf' },
  './formats/ag-ui': { readAgUiRunInput: 'readAgUiRunInput', toAgUi: 'toAgUi toAgUiBytes' },
  './formats/ai-sdk-ui': {
    readUIChatRequest: 'readUIChatRequest',
    toUIMessageStream: 'buildMessageMetadata toUIMessageStream toUIMessageStreamBytes',
  },
  './adapters/ai-sdk': {
    fromLanguageModel: 'fromLanguageModel',
    toLanguageModel: 'toLanguageModel',
    uiMessageHistory: 'uiMessageHistory',
  },
  './adapters/langchain': {
    fromChatModel: 'fromChatModel',
    toChatModel: 'toChatModel',
    toMessageHistory: 'toMessageHistory',
  },
  './otel': {
    middleware: 'tracing',
    'traced agent': 'agentTracing traceStorage',
    [BUILDS]: 'gatewayTracing',
  },
  './agent': {
    Agent: 'Agent AgentStream MessageQueue ToolExecutor selectOrchestrator createOutputSpec',
    [BUILDS]: 'cosineSimilarity embedAll joinTools renderText tool',
    [ERROR]: 'OutputError RunError',
  },
  './agent/mcp': { [CONNECTS]: 'connectMcp' },
  './gateway': { [CONNECTS]: 'createGateway', [NAMES]: 'ConnectionMemory hashKey' },
  './gateway/node': { [CONNECTS]: 'postgresGatewayState startGateway' },
  './golden': { [READS_PACKAGE]: 'listGoldenCases loadGoldenCase' },
  './handlers': {
    createUIChatHandler: 'createUIChatHandler loadUIMessages',
    createAgUiHandler: 'createAgUiHandler',
  },
  './stores': {
    memoryStorage: 'createStorage memoryStorage',
    Conversation: 'Conversation',
    chainStrategies: 'chainStrategies',
    dropToolTraffic: 'dropToolTraffic',
    estimateTokens: 'estimateTokens',
    keepLast: 'keepLast',
    summarize: 'summarize',
    tokenBudget: 'tokenBudget',
    createUIChatHandler: 'createStreamLog memoryStreamLog',
    [OPENS]: 'createKeyring replicated',
    [ERROR]: 'RunTakenOverError',
  },
  './stores/jsonl': { [OPENS]: 'jsonlStorage' },
  './stores/sqlite': { [OPENS]: 'sqliteStorage sqliteStreamLog' },
  './stores/postgres': { [OPENS]: 'postgresStorage postgresStreamLog' },
  './stores/redis': { [OPENS]: 'redisStorage' },
  './stores/dbos': { [OPENS]: 'dbosRunner durableWorker' },
  './stores/testing': { [RUNS_TESTS]: 'storageConformanceTests' },
  './memory': {
    inProcessMemory: 'createMemoryStore inProcessMemory recallMemories',
    [BUILDS]: 'memoryTools',
  },
  './memory/sqlite': { [OPENS]: 'sqliteMemory' },
  './memory/postgres': { [OPENS]: 'postgresMemory' },
  './memory/testing': { [RUNS_TESTS]: 'memoryConformanceTests' },
  './testing/providers': {
    findRequestProblems: 'findRequestProblems',
    [CONNECTS]: 'mockProvider startMockServer',
  },
}

export const reasons: readonly string[] = [
  BUILDS,
  NAMES,
  OPENS,
  CONNECTS,
  ERROR,
  RUNS_TESTS,
  IN_DIALECTS,
  OPENS_FILE,
  READS_PACKAGE,
]
