import type { DialectName } from '../../dialects/engine/dialect.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import { getText, listObjects, type WireObject } from './request-rule.ts'

/**
 * Returns a body as the server of a dialect reads it: servers accept shorter or older spellings than their published
 * schemas. Recorded requests show each of them.
 */
export function toServerForm(dialect: DialectName, body: WireObject): WireObject {
  if (dialect === 'openai-responses') return completeResponsesBody(body)
  if (dialect === 'bedrock') return omitModel(body)
  return dialect === 'gemini' ? (readProtobufJson(body as Json) as WireObject) : body
}

/** The path contains the model: official clients move it there from their input, whose other fields are the body. */
function omitModel({ model: _model, modelId: _modelId, ...body }: WireObject): WireObject {
  return body
}

/** Adds the fields that the schema of the Responses API requires and its server does not. */
function completeResponsesBody(body: WireObject): WireObject {
  const { input, tools } = body
  return {
    ...body,
    ...(isList(input) && {
      input: input.map((item) => (isObject(item) ? completeItem(item) : item)) as Json,
    }),
    ...(isList(tools) && {
      tools: tools.map((tool) =>
        isObject(tool) && tool['type'] === 'function' ? { strict: null, ...tool } : tool,
      ),
    }),
  }
}

/** The fields with defaults, by the type of an item or of a part of its content. */
const RESPONSES_DEFAULTS: { readonly [type: string]: WireObject } = {
  output_text: { annotations: [] },
  input_image: { detail: 'auto' },
  reasoning: { id: 'rs_0', summary: [] },
  web_search_call: { id: 'ws_0' },
}

function completeItem(item: WireObject): WireObject {
  const content = item['content']
  const type = getText(item['type']) || ('role' in item ? 'message' : '')
  const isAnswer = type === 'message' && item['role'] === 'assistant' && isList(content)
  const parts = listObjects(content)
  // Codex sends ids with the messages of users and developers, which the schema lacks.
  const { id: _id, ...withoutId } = item
  const isInput = type === 'message' && item['role'] !== 'assistant'
  return {
    ...(isAnswer && { id: 'msg_0', status: 'completed' }),
    ...RESPONSES_DEFAULTS[type],
    ...(isInput ? withoutId : item),
    ...(type !== '' && { type }),
    ...(parts.length > 0 && {
      content: parts.map((part) => ({ ...RESPONSES_DEFAULTS[getText(part['type'])], ...part })) as Json,
    }),
  }
}

/** The values of these keys are data of the application, whose names Protocol Buffers do not know. */
const FREE_FORM_KEYS: ReadonlySet<string> = new Set([
  'args',
  'response',
  'parametersJsonSchema',
  'responseJsonSchema',
])

/** The keys of enumerations, which may be written in any case. */
const ENUM_KEYS: ReadonlySet<string> = new Set(['type', 'thinkingLevel', 'mode', 'category', 'threshold'])

/** The keys of lists, for which a single object may stand. */
const LIST_KEYS: ReadonlySet<string> = new Set(['parts', 'contents', 'tools'])

/**
 * Reads JSON as Protocol Buffers do: names in camel case or with underscores, `null` like an absent field, and numbers
 * for the names of enumerations, which are omitted because only the server knows them.
 */
function readProtobufJson(value: Json | undefined, key = ''): Json {
  if (isList(value)) return value.map((each) => readProtobufJson(each, key))
  if (!isObject(value))
    return ENUM_KEYS.has(key) && typeof value === 'string' ? value.toUpperCase() : (value ?? null)
  const fields = Object.entries(value)
  const read = fields.flatMap(([name, each]): readonly (readonly [string, Json])[] => {
    if (key === 'properties') return [[name, readProtobufJson(each)]]
    const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    if (each === null || (ENUM_KEYS.has(camel) && typeof each === 'number')) return []
    if (FREE_FORM_KEYS.has(camel)) return [[camel, each]]
    const inner = readProtobufJson(each, camel)
    return [[camel, LIST_KEYS.has(camel) && isObject(inner) ? [inner] : inner]]
  })
  return Object.fromEntries(read)
}
