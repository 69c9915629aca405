import { STORED_VERSION } from '../../canonical/stored/stored-form.ts'
import { isBedrockBlock } from '../../dialects/engine/body-predicates.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import { detectInput } from '../registry.ts'
import { getOwnValue, isObject } from '../../wire/json.ts'
import { conversationFields, hasItem, hasObject, hasText, type ObjectTest } from './body-shapes.ts'
import {
  type BodyFormatName,
  type InputFormatName,
  isDialectName,
  isLibraryFormat,
  isTranscriptFormat,
  STORED_FORMAT,
} from './input-format-names.ts'

/** A body or stored form, and its format. */
export interface RecognizedBody {
  readonly body: unknown
  readonly detected: Detection
}

const hasTypeMatching =
  (pattern: RegExp): ObjectTest =>
  (value) =>
    pattern.test(String(getOwnValue(value, 'type')))

const isCanonicalPart: ObjectTest = (part) =>
  hasTypeMatching(/^(tool-call|tool-result|reasoning|json|opaque)$/)(part) ||
  hasObject('source', hasText('kind'))(part)

/** Matches a call whose arguments are an object: openai-chat has them as JSON text. */
const hasObjectArguments = hasItem('tool_calls', hasObject('function', hasObject('arguments')))

/** Messages that only one format has. The other formats share `messages`, and `detectInput` compares them. */
const distinctMessages: readonly (readonly [name: BodyFormatName, isDistinct: ObjectTest])[] = [
  ['gemini', conversationFields.gemini.isMessage],
  ['gemini-interactions', hasTypeMatching(/^(user_input|model_output|thought|function_result)$/)],
  [
    'openai-responses',
    (item) => !hasText('role')(item) || hasItem('content', hasTypeMatching(/^(input|output)_/))(item),
  ],
  ['ollama', (item) => hasText('tool_name')(item) || hasObjectArguments(item)],
  ['mistral', hasItem('content', hasTypeMatching(/^(document_url|reference)$/))],
  ['bedrock', hasItem('content', isBedrockBlock)],
  ['cohere', hasText('tool_plan')],
  [STORED_FORMAT, (item) => hasText('createdAt')(item) || hasItem('content', isCanonicalPart)(item)],
]

/**
 * Returns the body for a plain list of messages. Its format is `from`, or else detected. Returns undefined if the
 * value is not such a list.
 */
export function wrapMessageList(value: unknown, from?: InputFormatName): RecognizedBody | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const list: readonly unknown[] = value
  if (from !== undefined && (isLibraryFormat(from) || isTranscriptFormat(from))) return undefined
  if (from !== undefined && !Object.hasOwn(conversationFields, from)) return undefined
  const [name, certainty] = from === undefined ? detectListFormat(list) : [from, 1]
  if (name === undefined || !isListOf(list, name)) return undefined
  const isStored = name === STORED_FORMAT
  return {
    body: { ...(isStored && { interlingua: STORED_VERSION }), [conversationFields[name].key]: list },
    detected: { kind: isStored ? 'stored' : 'request', name, certainty, evidence: 'a list of messages' },
  }
}

function isListOf(list: readonly unknown[], name: BodyFormatName): boolean {
  return list.every((item) => isObject(item) && conversationFields[name].isMessage(item))
}

function detectListFormat(
  list: readonly unknown[],
): readonly [name: BodyFormatName | undefined, certainty: number] {
  const distinct = distinctMessages.find(
    ([name, isDistinct]) => isListOf(list, name) && list.some((item) => isObject(item) && isDistinct(item)),
  )
  if (distinct !== undefined) return [distinct[0], 1]
  const { name = '', certainty = 0 } = detectInput({ messages: list })[0] ?? {}
  return [isDialectName(name) ? name : undefined, certainty]
}
