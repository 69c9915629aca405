import { sdkObject, type SdkKnownFields } from './to-sdk-input.ts'

const location = { s3Location: sdkObject('uri bucketOwner') }
const text = sdkObject('text')
const citationsConfig = { citations: sdkObject('enabled') }
const cachePoint = sdkObject('type ttl')

const image = sdkObject('format', {
  source: sdkObject('', { ...location, bytes: 'bytes' }),
  error: sdkObject('message'),
})
const document = sdkObject('name format context', {
  ...citationsConfig,
  source: sdkObject('text', { ...location, bytes: 'bytes', content: text }),
})
const video = sdkObject('format', { source: sdkObject('', { ...location, bytes: 'bytes' }) })
const searchResult = sdkObject('source title', { ...citationsConfig, content: text })

const guardContent = sdkObject('', {
  text: sdkObject('text qualifiers'),
  image: sdkObject('format', { source: sdkObject('', { bytes: 'bytes' }) }),
})

const tool = sdkObject('type name serverName')
const span = sdkObject('documentIndex start end')

const citation = sdkObject('title source', {
  sourceContent: text,
  location: sdkObject('', {
    web: sdkObject('url domain'),
    documentChar: span,
    documentPage: span,
    documentChunk: span,
    searchResultLocation: sdkObject('searchResultIndex start end'),
  }),
})

const content = sdkObject('text', {
  image,
  document,
  video,
  searchResult,
  guardContent,
  cachePoint,
  audio: image,
  toolUse: sdkObject('toolUseId name input type'),
  toolResult: sdkObject('toolUseId status type', {
    content: sdkObject('json text', { image, document, video, searchResult }),
  }),
  reasoningContent: sdkObject('', {
    reasoningText: sdkObject('text signature'),
    redactedContent: 'bytes',
  }),
  citationsContent: sdkObject('', { content: text, citations: citation }),
  toolAddition: sdkObject('', { tool }),
  toolRemoval: sdkObject('', { tool }),
})

const fields = {
  messages: sdkObject('role', { content }),
  system: sdkObject('text', { guardContent, cachePoint }),
  inferenceConfig: sdkObject('maxTokens temperature topP stopSequences'),
  toolConfig: sdkObject('', {
    tools: sdkObject('', {
      toolSpec: sdkObject('name description strict', { inputSchema: sdkObject('json') }),
      systemTool: sdkObject('name'),
      cachePoint,
    }),
    toolChoice: sdkObject('', {
      auto: sdkObject(''),
      any: sdkObject(''),
      tool: sdkObject('name'),
    }),
  }),
  performanceConfig: sdkObject('latency'),
  serviceTier: sdkObject('type'),
  outputConfig: sdkObject('effort', {
    textFormat: sdkObject('type', {
      structure: sdkObject('', { jsonSchema: sdkObject('schema name description') }),
    }),
  }),
}

const createShape = (guardrailFields: string): SdkKnownFields => ({
  sendsUnknown: false,
  rename: (name) => name,
  request: sdkObject(
    'additionalModelRequestFields additionalModelResponseFieldPaths promptVariables requestMetadata',
    { ...fields, guardrailConfig: sdkObject(guardrailFields) },
  ),
})

/** How `@aws-sdk/client-bedrock-runtime` reads the body of Converse: it removes fields that are not listed. */
export const bedrockSdkKnownFields: SdkKnownFields = createShape('guardrailIdentifier guardrailVersion trace')

/** How `@aws-sdk/client-bedrock-runtime` reads the body of ConverseStream. */
export const bedrockStreamSdkKnownFields: SdkKnownFields = createShape(
  'guardrailIdentifier guardrailVersion trace streamProcessingMode',
)
