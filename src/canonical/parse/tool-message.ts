import { isObject, ownValue } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Part, ToolResultPart } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { identifier, type Reading, type Spare } from '../shape/shape.ts'
import { type Picker, picker } from './picker.ts'
import { readContent, readResult, resultTypes } from './result.ts'

const idNames = ['tool_call_id', 'toolCallId', 'call_id', 'callId'] as const
const nameNames = ['tool_name', 'toolName', 'name'] as const
const errorNames = ['isError', 'is_error'] as const

/**
 * The results of a tool message: as parts in its content, or as its content with the call's id beside it.
 * Nothing when no call is named: then it is only text.
 */
export function readResults(
  value: { readonly [key: string]: unknown },
  pick: Picker,
  at: Path | undefined,
  reading: Reading,
  spare: Spare,
): readonly Part[] | undefined {
  const result = ownValue(value, 'tool_result')
  if (isObject(result)) {
    pick.take(['tool_result'])
    return [readResult(result, below(at, 'tool_result'), reading, spare)]
  }
  const content = ownValue(value, 'content')
  if (Array.isArray(content) && (content.length === 0 || content.some(isResultLike))) {
    pick.take(['content'])
    return content.map((each, index) =>
      reading.part(each, below(below(at, 'content'), index), reading, spare),
    )
  }
  return readFlat(value, pick, at, reading, spare)
}

/** `{ role: 'tool', tool_call_id, content }`, or the older form that keeps all three below `content`. */
function readFlat(
  value: { readonly [key: string]: unknown },
  pick: Picker,
  at: Path | undefined,
  reading: Reading,
  spare: Spare,
): readonly ToolResultPart[] | undefined {
  const content = ownValue(value, 'content')
  const nested = isObject(content) && idNames.some((name) => Object.hasOwn(content, name))
  const from = nested ? picker(content, below(at, 'content'), []) : pick
  const callId = from.take(idNames)
  if (callId === undefined || callId.value === '') return undefined
  if (nested) pick.take(['content'])
  const given = from.take(['content'])
  const name = from.take(nameNames) ?? pick.take(nameNames)
  const isError = from.take(errorNames)
  const result = {
    ...(nested && from.rest()),
    type: 'tool-result',
    callId: identifier.read(callId.value, callId.at, reading, spare),
    ...(name !== undefined && { name: name.value }),
    ...(isError !== undefined && { isError: isError.value }),
    content: readContent(given?.value, given?.at, reading),
  }
  return [partShapes['tool-result'].read(result, callId.at.parent, reading, spare) as ToolResultPart]
}

function isResultLike(value: unknown): boolean {
  return isObject(value) && (resultTypes.has(ownValue(value, 'type')) || ownValue(value, 'type') === 'opaque')
}
