import type { DialectName } from '../../dialects/engine/dialect.ts'
import { isBedrockBlock } from '../../dialects/engine/body-predicates.ts'
import { isObject, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
} from '../engine/format-signs.ts'

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

const hasContent = isAny(hasText('content'), hasList('content'), hasValue('content', null))

/** Block types that only Anthropic has. */
const ANTHROPIC_BLOCKS = [
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'document',
  'search_result',
] as const

/** Item types of the Responses API that are not messages. */
const isResponsesItem = (message: JsonObject): boolean =>
  /^(reasoning|compaction|item_reference|mcp_\w+|\w+_call(_output)?)$/.test(
    readStringOrEmpty(message['type']),
  )

/** A call of Ollama has its arguments as an object; OpenAI has them as text. */
const hasObjectArguments = hasItem('tool_calls', hasObject('function', hasObject('arguments')))

const isImageSource = hasObject('source', hasValue('type', 'base64', 'url', 'file'))

/** The signs of the messages of each wire format, without a request around them. */
export const signsByDialect: { readonly [name in DialectName]: FormatSigns } = {
  anthropic: {
    title: 'messages of Anthropic',
    required: [
      ['`role`: user, assistant or system', hasValue('role', 'user', 'assistant', 'system')],
      ['`content`: a text or a list of blocks', isAny(hasText('content'), hasList('content'))],
    ],
    marks: [
      ['a block of Anthropic', hasItem('content', hasValue('type', ...ANTHROPIC_BLOCKS))],
      ['a block with `cache_control`', hasItem('content', hasObject('cache_control'))],
      ['an image with a `source`', hasItem('content', isEvery(hasValue('type', 'image'), isImageSource))],
    ],
  },
  gemini: {
    title: 'contents of Gemini',
    required: [['`parts`: a list', hasList('parts')]],
    marks: [
      ['the role model', isEvery(hasValue('role', 'model'), hasList('parts'))],
      ['`parts` without a `type`', isEvery(hasList('parts'), isNot(hasAnyType), isNot(hasKeys('messageId')))],
    ],
  },
  'openai-responses': {
    title: 'items of the Responses API',
    required: [
      ['`role` or a `type` of an item', isAny(hasValue('role', ...ROLES), hasText('type'), hasText('id'))],
    ],
    marks: [
      [
        'an item of the Responses API',
        isEvery(isNot(hasKeys('role')), isNot(hasKeys('data')), isResponsesItem),
      ],
      [
        'content of the type input_text or output_text',
        hasItem('content', hasValue('type', 'input_text', 'output_text', 'input_image', 'input_file')),
      ],
    ],
  },
  ollama: {
    title: 'messages of Ollama',
    required: [
      ['`role`: system, user, assistant or tool', hasValue('role', 'system', 'user', 'assistant', 'tool')],
    ],
    marks: [
      ['`tool_name`', hasText('tool_name')],
      ['`images` as a list', hasList('images')],
      ['a call with arguments that are an object', hasObjectArguments],
      ['`thinking` beside the content', hasText('thinking')],
    ],
  },
  'openai-chat': {
    title: 'messages of Chat Completions',
    required: [
      [`\`role\`: ${ROLES.join(', ')}`, hasValue('role', ...ROLES)],
      [
        '`content`, `tool_calls` or another content field',
        isAny(
          hasContent,
          hasList('tool_calls'),
          hasKeys('refusal'),
          hasObject('function_call'),
          hasObject('audio'),
        ),
      ],
    ],
    marks: [
      ['`tool_calls` with `function`', hasItem('tool_calls', hasObject('function', hasText('arguments')))],
      ['the role tool with `tool_call_id`', isEvery(hasValue('role', 'tool'), hasText('tool_call_id'))],
      ['`function_call`', hasObject('function_call')],
      ['the role developer or function', hasValue('role', 'developer', 'function')],
      [
        'content of the type image_url, input_audio or file',
        hasItem('content', isAny(hasKeys('image_url'), hasObject('input_audio'), hasObject('file'))),
      ],
      ['`refusal`', isEvery(hasValue('role', 'assistant'), hasText('refusal'))],
      ['`reasoning_content`', hasText('reasoning_content')],
    ],
  },
  mistral: {
    title: 'messages of Mistral',
    required: [
      ['`role`: system, user, assistant or tool', hasValue('role', 'system', 'user', 'assistant', 'tool')],
      ['`content` or `tool_calls`', isAny(hasContent, hasList('tool_calls'))],
    ],
    marks: [
      ['a chunk with `thinking` as a list', hasItem('content', hasList('thinking'))],
      ['a chunk with `document_url` or `reference_ids`', hasItem('content', hasKeysOfChunk)],
    ],
  },
  'gemini-interactions': {
    title: 'steps of the Interactions API',
    required: [['a `type` of a step, and no role', isEvery(hasText('type'), isNot(hasKeys('role')))]],
    marks: [
      [
        'a step of the Interactions API',
        hasValue('type', 'user_input', 'model_output', 'thought', 'function_result'),
      ],
    ],
  },
  bedrock: {
    title: 'messages of Amazon Bedrock',
    required: [
      ['`role`: user, assistant or system', hasValue('role', 'user', 'assistant', 'system')],
      ['`content`: a list', hasList('content')],
    ],
    marks: [['a block with one key and no type', hasItem('content', isBedrockBlock)]],
  },
  cohere: {
    title: 'messages of Cohere',
    required: [
      ['`role`: system, user, assistant or tool', hasValue('role', 'system', 'user', 'assistant', 'tool')],
      ['`content` or `tool_calls`', isAny(hasContent, hasList('tool_calls'))],
    ],
    marks: [
      ['`tool_plan`', hasText('tool_plan')],
      ['a `document` with `data`', hasItem('content', hasObject('document', hasKeys('data')))],
    ],
  },
}

/** Fields of chunks that only Mistral has. */
function hasKeysOfChunk(chunk: JsonObject): boolean {
  return typeof chunk['document_url'] === 'string' || Array.isArray(chunk['reference_ids'])
}

function hasAnyType(message: JsonObject): boolean {
  const { parts } = message
  return (
    Array.isArray(parts) &&
    parts.some((part) => isObject(part) && ('type' in part || 'part_kind' in part || 'kind' in part))
  )
}
