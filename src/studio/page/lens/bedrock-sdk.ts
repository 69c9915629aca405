import { objectShape, type SdkShape } from './sdk-fields.ts'

const location = { s3Location: objectShape('uri bucketOwner') }
const text = objectShape('text')
const citationsConfig = { citations: objectShape('enabled') }
const cachePoint = objectShape('type ttl')

const image = objectShape('format', {
  source: objectShape('', { ...location, bytes: 'bytes' }),
  error: objectShape('message'),
})
const document = objectShape('name format context', {
  ...citationsConfig,
  source: objectShape('text', { ...location, bytes: 'bytes', content: text }),
})
const video = objectShape('format', { source: objectShape('', { ...location, bytes: 'bytes' }) })
const searchResult = objectShape('source title', { ...citationsConfig, content: text })

const guardContent = objectShape('', {
  text: objectShape('text qualifiers'),
  image: objectShape('format', { source: objectShape('', { bytes: 'bytes' }) }),
})

const tool = objectShape('type name serverName')
const span = objectShape('documentIndex start end')

const citation = objectShape('title source', {
  sourceContent: text,
  location: objectShape('', {
    web: objectShape('url domain'),
    documentChar: span,
    documentPage: span,
    documentChunk: span,
    searchResultLocation: objectShape('searchResultIndex start end'),
  }),
})

const content = objectShape('text', {
  image,
  document,
  video,
  searchResult,
  guardContent,
  cachePoint,
  audio: image,
  toolUse: objectShape('toolUseId name input type'),
  toolResult: objectShape('toolUseId status type', {
    content: objectShape('json text', { image, document, video, searchResult }),
  }),
  reasoningContent: objectShape('', {
    reasoningText: objectShape('text signature'),
    redactedContent: 'bytes',
  }),
  citationsContent: objectShape('', { content: text, citations: citation }),
  toolAddition: objectShape('', { tool }),
  toolRemoval: objectShape('', { tool }),
})

const fields = {
  messages: objectShape('role', { content }),
  system: objectShape('text', { guardContent, cachePoint }),
  inferenceConfig: objectShape('maxTokens temperature topP stopSequences'),
  toolConfig: objectShape('', {
    tools: objectShape('', {
      toolSpec: objectShape('name description strict', { inputSchema: objectShape('json') }),
      systemTool: objectShape('name'),
      cachePoint,
    }),
    toolChoice: objectShape('', {
      auto: objectShape(''),
      any: objectShape(''),
      tool: objectShape('name'),
    }),
  }),
  performanceConfig: objectShape('latency'),
  serviceTier: objectShape('type'),
  outputConfig: objectShape('effort', {
    textFormat: objectShape('type', {
      structure: objectShape('', { jsonSchema: objectShape('schema name description') }),
    }),
  }),
}

const createShape = (guardrailFields: string): SdkShape => ({
  sendsUnknown: false,
  rename: (name) => name,
  request: objectShape(
    'additionalModelRequestFields additionalModelResponseFieldPaths promptVariables requestMetadata',
    { ...fields, guardrailConfig: objectShape(guardrailFields) },
  ),
})

/** How `@aws-sdk/client-bedrock-runtime` reads the body of Converse: it removes fields that are not listed. */
export const bedrockSdk: SdkShape = createShape('guardrailIdentifier guardrailVersion trace')

/** How `@aws-sdk/client-bedrock-runtime` reads the body of ConverseStream. */
export const bedrockStreamSdk: SdkShape = createShape(
  'guardrailIdentifier guardrailVersion trace streamProcessingMode',
)
