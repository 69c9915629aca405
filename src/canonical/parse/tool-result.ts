import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type Json, getOwnValue } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { json, text } from '../build/parts.ts'
import type { ToolResultContent, Part } from '../model/part.ts'
import { partTypesByContainer, partShape, partShapeForContainer, partShapes } from '../shape/part.ts'
import { identifierShape, type ReadContext, type ValueReader, throwWrongType } from '../shape/shape.ts'
import { mediaPartTypeAliases } from './media.ts'
import { createFieldPicker, type FieldPicker, type PickedField } from './field-picker.ts'

/** The names of a call id next to the content of a tool message. */
const CALL_ID_ALIASES = ['tool_call_id', 'toolCallId', 'call_id', 'callId'] as const
const TOOL_NAME_ALIASES = ['tool_name', 'toolName', 'name'] as const

/** Part types of other formats that are tool results. */
export const TOOL_RESULT_PART_TYPES: ReadonlySet<unknown> = new Set(
  'tool-result tool_result toolResult function_call_output'.split(' '),
)

/** Reads the results of a tool message; undefined without a call id, when its content is only text. */
export function readToolMessageContent(
  value: object,
  pick: FieldPicker,
  path: Path | undefined,
  context: ReadContext,
): readonly Part[] | undefined {
  const result = getOwnValue(value, 'tool_result')
  if (isObject(result)) {
    pick.take('tool_result')
    return [readToolResult(result, child(path, 'tool_result'), context)]
  }
  const content = getOwnValue(value, 'content')
  const contentPath = child(path, 'content')
  if (Array.isArray(content) && (content.length === 0 || content.some(isResultOrOpaque))) {
    pick.take('content')
    return content.map((each, index) => partShape.read(each, child(contentPath, index), context))
  }
  return readFlatResult(content, pick, contentPath, context)
}

/** Returns true for a part that is a tool result in any format. */
export function hasToolResultType(value: unknown): boolean {
  return isObject(value) && TOOL_RESULT_PART_TYPES.has(getOwnValue(value, 'type'))
}

function isResultOrOpaque(value: unknown): boolean {
  return hasToolResultType(value) || (isObject(value) && getOwnValue(value, 'type') === 'opaque')
}

/** Reads `{ role: 'tool', tool_call_id, content }`, or the older form with all fields under `content`. */
function readFlatResult(
  content: unknown,
  pick: FieldPicker,
  contentPath: Path,
  context: ReadContext,
): readonly Part[] | undefined {
  const isNested = isObject(content) && CALL_ID_ALIASES.some((name) => Object.hasOwn(content, name))
  const from = isNested ? createFieldPicker(content, contentPath) : pick
  const callId = from.take(...CALL_ID_ALIASES)
  if (callId === undefined || callId.value === '') return undefined
  if (isNested) pick.take('content')
  const given = from.take('content')
  const name = from.take(...TOOL_NAME_ALIASES) ?? pick.take(...TOOL_NAME_ALIASES)
  const isError = from.take('isError', 'is_error')
  const result = {
    ...(isNested && from.remaining()),
    type: 'tool-result',
    callId: identifierShape.read(callId.value, callId.path, context),
    ...(name !== undefined && { name: name.value }),
    ...(isError !== undefined && { isError: isError.value }),
    content: readResultContent(given?.value, given?.path, context),
  }
  return [partShapes['tool-result'].read(result, callId.path.parent, context)]
}

/** Reads a tool result of any format. Content that does not consist of parts is data. */
export const readToolResult: ValueReader<Part> = (value, path, context) => {
  if (!isObject(value)) return throwWrongType(value, path, 'a tool result')
  const pick = createFieldPicker(value, path, 'tool_result')
  pick.take('type')
  const callId = pick.take('callId', 'call_id', 'tool_call_id', 'toolCallId', 'tool_use_id')
  const content = pick.take('content', 'output', 'result')
  const output = content && unwrapOutput(content)
  const result = {
    ...pick.remaining(),
    type: 'tool-result',
    ...(callId !== undefined && { callId: callId.value }),
    ...(output?.isError && { isError: true }),
    content: output?.content ?? readResultContent(output?.value, output?.path, context),
  }
  return partShapes['tool-result'].read(result, path, context)
}

/** The output types of the AI SDK that wrap a value (`ToolResultOutput` of `@ai-sdk/provider-utils`). */
const OUTPUT_TYPES: ReadonlyMap<unknown, { readonly isData?: true; readonly isError?: true }> = new Map([
  ['text', {}],
  ['content', {}],
  ['json', { isData: true }],
  ['error-text', { isError: true }],
  ['error-json', { isData: true, isError: true }],
])

type Output = Partial<PickedField> & { readonly content?: readonly Part[]; readonly isError?: true }

/** Returns the value in an output of the AI SDK, `{ type, value }`; any other output as it is. */
function unwrapOutput({ value, path }: PickedField): Output {
  if (path.key !== 'output' || !isObject(value)) return { value, path }
  const type = getOwnValue(value, 'type')
  if (type === 'execution-denied') {
    const reason = getOwnValue(value, 'reason')
    return { value: typeof reason === 'string' ? reason : 'The tool call was denied.', path, isError: true }
  }
  const { isData, ...mark } = OUTPUT_TYPES.get(type) ?? {}
  const wrapped = OUTPUT_TYPES.has(type) ? getOwnValue(value, 'value') : undefined
  if (wrapped === undefined) return { value, path }
  const valuePath = child(path, 'value')
  if (isData) return { content: [json(freezeCopy(wrapped as Json, valuePath))], ...mark }
  return { value: wrapped, path: valuePath, ...mark }
}

const resultPartShape = partShapeForContainer<ToolResultContent>('tool result')

/** Reads the content of a tool result: text, a list of parts, or other JSON as data. An object is never a part. */
const readResultContent: ValueReader<readonly ToolResultContent[]> = (value, path, context) => {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') return [text(value)]
  if (!Array.isArray(value) || !value.every(isPartLike)) return [json(freezeCopy(value as Json, path))]
  return value.map((each, index) => resultPartShape.read(each, child(path, index), context))
}

const RESULT_PART_TYPES: ReadonlySet<unknown> = new Set([
  ...partTypesByContainer['tool result'],
  ...mediaPartTypeAliases.keys(),
  'input_text',
  'output_text',
])

function isPartLike(value: unknown): boolean {
  return isObject(value) && RESULT_PART_TYPES.has(getOwnValue(value, 'type'))
}
