import { getOwnValue, isObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { throwInvalid } from '../shape/shape.ts'

type JsonLike = { readonly [key: string]: unknown }

/** A format whose messages have another structure than `{ role, content }`: they are not read, but recognized. */
export interface ForeignFormat {
  /** The name of its messages, with an article. */
  readonly name: string
  /** Advice on how to read such messages. */
  readonly hint: string
  isMessage(value: JsonLike): boolean
}

const has = (value: JsonLike, key: string): boolean => (getOwnValue(value, key) ?? undefined) !== undefined

const hasText = (value: JsonLike, key: string): boolean => typeof getOwnValue(value, key) === 'string'

const hasList = (value: JsonLike, key: string): boolean => Array.isArray(getOwnValue(value, key))

/** Returns true if a list contains an object that has one of the keys. */
const hasItemWith = (value: JsonLike, list: string, ...keys: readonly string[]): boolean => {
  const items = getOwnValue(value, list)
  return Array.isArray(items) && items.some((item) => isObject(item) && keys.some((key) => has(item, key)))
}

/** Item types of the Responses API that are not messages. */
const RESPONSES_ITEM_TYPE = /^(reasoning|compaction|item_reference|mcp_\w+|\w+_call(_output)?)$/

/** Step types of the Interactions API that no other format has. */
const INTERACTION_STEP_TYPE = /^(user_input|model_output|thought|function_result)$/

/** Content blocks of Amazon Bedrock Converse, which have a key instead of a type. */
const CONVERSE_BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent'] as const

const decodeHint = (dialect: string, method: string, body: string): string =>
  `Decode it with dialects['${dialect}'].${method}(${body}).`

const CONVERT_HINT = 'Convert it to { role, content, tool_calls, tool_call_id } first.'

const READ_HINT = 'Use `fromMessages` of interlingua/formats.'

/**
 * The formats by their fields; the first match counts. Sources: the type definitions of `ai`, `@google/genai` and `openai`,
 * `message_to_dict` and `dumpd` of LangChain, `ModelMessage` of Pydantic AI, the A2A specification, the Bedrock API
 * reference, and the ShareGPT datasets.
 */
const FOREIGN_FORMATS: readonly ForeignFormat[] = [
  {
    name: 'an A2A message',
    hint: CONVERT_HINT,
    isMessage: (value) => hasList(value, 'parts') && hasText(value, 'messageId'),
  },
  {
    name: 'a Pydantic AI message',
    hint: READ_HINT,
    isMessage: (value) => hasItemWith(value, 'parts', 'part_kind'),
  },
  {
    name: 'a UIMessage of the AI SDK',
    hint: READ_HINT,
    isMessage: (value) =>
      hasItemWith(value, 'parts', 'type') ||
      hasList(value, 'toolInvocations') ||
      (hasList(value, 'parts') && hasText(value, 'id')),
  },
  {
    name: 'a Gemini message',
    hint: decodeHint('gemini', 'decodeRequest', '{ contents: messages }'),
    isMessage: (value) => hasList(value, 'parts') || hasItemWith(value, 'contents', 'parts'),
  },
  {
    name: 'a Gemini response',
    hint: decodeHint('gemini', 'decodeResponse', 'body'),
    isMessage: (value) => hasItemWith(value, 'candidates', 'content') && !has(value, 'role'),
  },
  {
    name: 'a LangChain message',
    hint: READ_HINT,
    isMessage: (value) =>
      !has(value, 'role') &&
      ['kwargs', 'data', 'lc_kwargs', 'additional_kwargs'].some((key) => isObject(getOwnValue(value, key))),
  },
  {
    name: 'a step of the Interactions API',
    hint: decodeHint('gemini-interactions', 'decodeRequest', '{ input: messages }'),
    isMessage: (value) =>
      !has(value, 'role') && INTERACTION_STEP_TYPE.test(String(getOwnValue(value, 'type'))),
  },
  {
    name: 'an item of the Responses API',
    hint: decodeHint('openai-responses', 'decodeRequest', '{ input: messages }'),
    isMessage: (value) =>
      !has(value, 'role') &&
      (RESPONSES_ITEM_TYPE.test(String(getOwnValue(value, 'type'))) ||
        hasItemWith(value, 'input', 'role', 'type')),
  },
  {
    name: 'a Responses API response',
    hint: decodeHint('openai-responses', 'decodeResponse', 'body'),
    isMessage: (value) => !has(value, 'role') && hasItemWith(value, 'output', 'type'),
  },
  {
    name: 'a Chat Completions response',
    hint: decodeHint('openai-chat', 'decodeResponse', 'body'),
    isMessage: (value) => hasItemWith(value, 'choices', 'message', 'delta'),
  },
  {
    name: 'a message of Amazon Bedrock Converse',
    hint: READ_HINT,
    isMessage: (value) =>
      hasItemWith(value, 'content', ...CONVERSE_BLOCKS) && !hasItemWith(value, 'content', 'type'),
  },
  {
    name: 'a ShareGPT message',
    hint: 'Pass the record that contains it to `fromConversations` of interlingua/formats.',
    isMessage: (value) => hasText(value, 'from') && hasText(value, 'value'),
  },
]

/** Returns the format that a value looks like; undefined for the canonical form, and for what no row describes. */
export function findForeignFormat(value: unknown): ForeignFormat | undefined {
  return isObject(value) ? FOREIGN_FORMATS.find((format) => format.isMessage(value)) : undefined
}

/** Throws if a value looks like a message of a format that is not read. */
export function assertKnownFormat(value: unknown, path: Path | undefined): void {
  const format = findForeignFormat(value)
  if (format !== undefined) throwUnknownFormat(path, format)
}

/** Throws the error for a message of another format, whose content would be lost. */
export function throwUnknownFormat(path: Path | undefined, format?: ForeignFormat): never {
  const found = format === undefined ? 'an object without content' : `what looks like ${format.name}`
  const hint = format?.hint ?? CONVERT_HINT
  return throwInvalid('unknown-message-format', path, found, 'a message with `role` and `content`', hint)
}
