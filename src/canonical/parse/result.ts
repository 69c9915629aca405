import { frozenCopy } from '../../wire/frozen.ts'
import { describe, isObject, type Json, ownValue } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { json, text } from '../build/parts.ts'
import type { ToolResultContent, ToolResultPart } from '../model/part.ts'
import { allowedParts, partIn, partShapes } from '../shape/part.ts'
import { fail, type Reading, type Spare } from '../shape/shape.ts'
import { mediaForms } from './media.ts'
import { picker } from './picker.ts'

/** Part types of others that are tool results. */
export const resultTypes: ReadonlySet<unknown> = new Set([
  'tool-result',
  'tool_result',
  'toolResult',
  'function_call_output',
])

const names = {
  callId: ['callId', 'call_id', 'tool_call_id', 'toolCallId', 'tool_use_id'],
  content: ['content', 'output', 'result'],
} as const

/** Reads a tool result as others store it. Content that is not made of parts is data. */
export function readResult(
  value: unknown,
  at: Path | undefined,
  reading: Reading,
  spare: Spare,
): ToolResultPart {
  if (!isObject(value)) return fail('invalid-type', at, describe(value), 'a tool result')
  const pick = picker(value, at, ['tool_result'])
  pick.take(['type'])
  const callId = pick.take(names.callId)
  const content = pick.take(names.content)
  const result = {
    type: 'tool-result',
    ...(callId !== undefined && { callId: callId.value }),
    content: content === undefined ? [] : readContent(content.value, content.at, reading),
  }
  return partShapes['tool-result'].read({ ...pick.rest(), ...result }, at, reading, spare) as ToolResultPart
}

const resultPart = partIn<ToolResultContent>('tool result')

/** What a tool gave: text, a list of parts, or any other JSON, which is data: an object of its own is never a part. */
export function readContent(
  value: unknown,
  at: Path | undefined,
  reading: Reading,
): readonly ToolResultContent[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') return [text(value)]
  if (!Array.isArray(value) || !value.every(isPartLike)) return [json(frozenCopy(value as Json, at))]
  return value.map((each, index) => resultPart.read(each, below(at, index), reading, {}))
}

const partTypes: ReadonlySet<unknown> = new Set([
  ...allowedParts['tool result'],
  ...mediaForms.keys(),
  'input_text',
  'output_text',
])

function isPartLike(value: unknown): boolean {
  return isObject(value) && partTypes.has(ownValue(value, 'type'))
}
