import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, getOwnValue } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { json, text } from '../build/parts.ts'
import type { ToolResultContent, ToolResultPart, Part } from '../model/part.ts'
import { allowedParts, partShapeFor, partShapes } from '../shape/part.ts'
import { throwInvalid, type ReadContext, type UnknownKeys, identifierShape } from '../shape/shape.ts'
import { mediaTypeAliases } from './media.ts'
import { createFieldPicker, type FieldPicker } from './field-picker.ts'

const CALL_ID_ALIASES = ['tool_call_id', 'toolCallId', 'call_id', 'callId'] as const
const TOOL_NAME_ALIASES = ['tool_name', 'toolName', 'name'] as const
const IS_ERROR_ALIASES = ['isError', 'is_error'] as const

/**
 * Reads the results of a tool message: parts in its content, or its content with a call id beside it. Returns
 * undefined without a call id; the message is only text then.
 */
export function readToolMessageContent(
  value: { readonly [key: string]: unknown },
  pick: FieldPicker,
  path: Path | undefined,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): readonly Part[] | undefined {
  const result = getOwnValue(value, 'tool_result')
  if (isObject(result)) {
    pick.take(['tool_result'])
    return [readToolResult(result, child(path, 'tool_result'), context, unknownKeys)]
  }
  const content = getOwnValue(value, 'content')
  if (Array.isArray(content) && (content.length === 0 || content.some(isResultLike))) {
    pick.take(['content'])
    return content.map((each, index) =>
      context.part(each, child(child(path, 'content'), index), context, unknownKeys),
    )
  }
  return readFlatResult(value, pick, path, context, unknownKeys)
}

/**
 * Reads `{ role: 'tool', tool_call_id, content }`, or the older form with all three fields nested under
 * `content`.
 */
function readFlatResult(
  value: { readonly [key: string]: unknown },
  pick: FieldPicker,
  path: Path | undefined,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): readonly ToolResultPart[] | undefined {
  const content = getOwnValue(value, 'content')
  const nested = isObject(content) && CALL_ID_ALIASES.some((name) => Object.hasOwn(content, name))
  const from = nested ? createFieldPicker(content, child(path, 'content'), []) : pick
  const callId = from.take(CALL_ID_ALIASES)
  if (callId === undefined || callId.value === '') return undefined
  if (nested) pick.take(['content'])
  const given = from.take(['content'])
  const name = from.take(TOOL_NAME_ALIASES) ?? pick.take(TOOL_NAME_ALIASES)
  const isError = from.take(IS_ERROR_ALIASES)
  const result = {
    ...(nested && from.remaining()),
    type: 'tool-result',
    callId: identifierShape.read(callId.value, callId.path, context, unknownKeys),
    ...(name !== undefined && { name: name.value }),
    ...(isError !== undefined && { isError: isError.value }),
    content: readResultContent(given?.value, given?.path, context),
  }
  return [partShapes['tool-result'].read(result, callId.path.parent, context, unknownKeys) as ToolResultPart]
}

function isResultLike(value: unknown): boolean {
  return (
    isObject(value) &&
    (TOOL_RESULT_TYPES.has(getOwnValue(value, 'type')) || getOwnValue(value, 'type') === 'opaque')
  )
}

/** Part types of other formats that are tool results. */
export const TOOL_RESULT_TYPES: ReadonlySet<unknown> = new Set([
  'tool-result',
  'tool_result',
  'toolResult',
  'function_call_output',
])

const RESULT_FIELD_ALIASES = {
  callId: ['callId', 'call_id', 'tool_call_id', 'toolCallId', 'tool_use_id'],
  content: ['content', 'output', 'result'],
} as const

/** Reads a tool result of any format. Content that does not consist of parts is data. */
export function readToolResult(
  value: unknown,
  path: Path | undefined,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): ToolResultPart {
  if (!isObject(value)) return throwInvalid('invalid-type', path, describeType(value), 'a tool result')
  const pick = createFieldPicker(value, path, ['tool_result'])
  pick.take(['type'])
  const callId = pick.take(RESULT_FIELD_ALIASES.callId)
  const content = pick.take(RESULT_FIELD_ALIASES.content)
  const result = {
    type: 'tool-result',
    ...(callId !== undefined && { callId: callId.value }),
    content: content === undefined ? [] : readResultContent(content.value, content.path, context),
  }
  return partShapes['tool-result'].read(
    { ...pick.remaining(), ...result },
    path,
    context,
    unknownKeys,
  ) as ToolResultPart
}

const resultPartShape = partShapeFor<ToolResultContent>('tool result')

/**
 * Reads the content of a tool result: text, a list of parts, or any other JSON as data. A single object is
 * never a part.
 */
function readResultContent(
  value: unknown,
  path: Path | undefined,
  context: ReadContext,
): readonly ToolResultContent[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') return [text(value)]
  if (!Array.isArray(value) || !value.every(isPartLike)) return [json(freezeCopy(value as Json, path))]
  return value.map((each, index) => resultPartShape.read(each, child(path, index), context, {}))
}

const RESULT_PART_TYPES: ReadonlySet<unknown> = new Set([
  ...allowedParts['tool result'],
  ...mediaTypeAliases.keys(),
  'input_text',
  'output_text',
])

function isPartLike(value: unknown): boolean {
  return isObject(value) && RESULT_PART_TYPES.has(getOwnValue(value, 'type'))
}
