// @ts-check
// Writes ../../wire-schemas/<name>.json, a JSON Schema (draft-07) of every type in the `-types.ts` files.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFormatter, createParser, createProgram, SchemaGenerator } from 'ts-json-schema-generator'
import { refine } from './refine-schema.js'

/** @import { CompletedConfig } from 'ts-json-schema-generator' */
/** @import { Schema } from './refine-schema.js' */

const here = fileURLToPath(new URL('.', import.meta.url))
const target = fileURLToPath(new URL('../../wire-schemas/', import.meta.url))

/** File names and the types that they contain. */
const ROOTS = {
  'openai-chat-request': 'OpenAIChatRequest',
  'openai-chat-response': 'OpenAIChatResponse',
  'openai-chat-chunk': 'OpenAIChatChunk',
  'openai-6-chat-request': 'OpenAI6ChatRequest',
  'openai-6-chat-response': 'OpenAI6ChatResponse',
  'openai-6-chat-chunk': 'OpenAI6ChatChunk',
  'openai-responses-request': 'OpenAIResponsesRequest',
  'openai-responses-response': 'OpenAIResponsesResponse',
  'openai-responses-stream-event': 'OpenAIResponsesStreamEvent',
  'openai-6-responses-request': 'OpenAI6ResponsesRequest',
  'openai-6-responses-response': 'OpenAI6ResponsesResponse',
  'anthropic-request': 'AnthropicRequest',
  'anthropic-request-2023-06-01': 'AnthropicRequest2023',
  'anthropic-response': 'AnthropicResponse',
  'anthropic-stream-event': 'AnthropicStreamEvent',
  'anthropic-beta-request': 'AnthropicBetaRequest',
  'anthropic-beta-request-2023-06-01': 'AnthropicBetaRequest2023',
  'anthropic-beta-response': 'AnthropicBetaResponse',
  'anthropic-beta-stream-event': 'AnthropicBetaStreamEvent',
  'gemini-request': 'GeminiRequest',
  'gemini-response': 'GeminiResponse',
  'ollama-request': 'OllamaRequest',
  'ollama-response': 'OllamaResponse',
  'ollama-chunk': 'OllamaChunk',
  'mistral-request': 'MistralRequest',
  'mistral-response': 'MistralResponse',
  'mistral-chunk': 'MistralChunk',
  'gemini-interactions-request': 'GeminiInteractionsRequest',
  'gemini-interactions-response': 'GeminiInteractionsResponse',
  'gemini-interactions-stream-event': 'GeminiInteractionsStreamEvent',
  'bedrock-request': 'BedrockRequest',
  'bedrock-response': 'BedrockResponse',
  'bedrock-stream-event': 'BedrockStreamEvent',
  'cohere-request': 'CohereRequest',
  'cohere-response': 'CohereResponse',
  'cohere-stream-event': 'CohereStreamEvent',
}

/** @type {CompletedConfig} */
const config = {
  path: join(here, '*-types.ts'),
  tsconfig: join(here, 'tsconfig.json'),
  type: '',
  expose: 'all',
  topRef: true,
  jsDoc: 'none',
  markdownDescription: false,
  fullDescription: false,
  sortProps: false,
  strictTuples: false,
  skipTypeCheck: false,
  encodeRefs: false,
  minify: false,
  extraTags: [],
  additionalProperties: false,
  discriminatorType: 'json-schema',
  functions: 'fail',
}

/**
 * Prints one line per definition: small, and a new SDK version still yields a readable diff.
 * @param {Schema} schema
 */
function print({ definitions, ...root }) {
  const lines = Object.entries(definitions ?? {}).map(([name, definition]) => {
    return `${JSON.stringify(name)}:${JSON.stringify(definition)}`
  })
  const head = JSON.stringify(root).slice(0, -1)
  return `${head},\n"definitions":{\n${lines.join(',\n')}\n}}\n`
}

/** Types that the SDK of Google declares without fields, for values that may be any object. */
const FREE_OBJECTS = /^(?:FunctionResult|MCPServerToolResult)(?:Step|Delta)Result$|^FileSearchResult$/

/** @param {Schema} schema */
function allowFreeObjects(schema) {
  for (const [name, definition] of Object.entries(schema.definitions ?? {}))
    if (FREE_OBJECTS.test(name)) definition.additionalProperties = true
  return schema
}

const program = createProgram(config)
const formatter = createFormatter(config)
mkdirSync(target, { recursive: true })
for (const file of readdirSync(target)) if (file.endsWith('.json')) rmSync(join(target, file))
for (const [name, type] of Object.entries(ROOTS)) {
  const parser = createParser(program, { ...config, type })
  const generated = new SchemaGenerator(program, parser, formatter, { ...config, type }).createSchema(type)
  const text = print(allowFreeObjects(refine(/** @type {Schema} */ (generated))))
  writeFileSync(join(target, `${name}.json`), text)
  console.log(`${name}: ${(text.length / 1024).toFixed(0)} KB`)
}
