import { describe, isObject, MAX_DEPTH, ownValue } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { reasoning, refusal, text } from '../build/parts.ts'
import { isMessageLike } from '../read/guards.ts'
import type { Part } from '../model/part.ts'
import { textOf } from '../read/text.ts'
import { fail, list, type Reading, type Shape, type Spare } from '../shape/shape.ts'
import { readAttachment } from './attachment.ts'
import { readCall } from './call.ts'
import type { Picked, Picker } from './picker.ts'

/** A shape for reading alone. */
function reader<T>(read: Shape<T>['read']): Shape<readonly T[]> {
  return list<T>({ expects: 'an object', read, schema: () => ({}) })
}

const calls = reader(readCall)
const attachments = reader(readAttachment)
const parts = reader<Part>((...args) => args[2].part(...args))

/** Content as it may be given: text, a part, a list of both, nothing, or a message whose content is meant. */
export function readParts(given: Picked | undefined, reading: Reading, spare: Spare): readonly Part[] {
  const { value, at } = innermost(given)
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [text(value)]
  if (Array.isArray(value)) return parts.read(value, at, reading, spare)
  if (isObject(value)) return [reading.part(value, at, reading, spare)]
  return fail('invalid-type', at, describe(value), 'a string, a part or a list of parts')
}

/** Follows content that is itself a message down to what that message says. */
function innermost(given: Picked | undefined): { readonly value: unknown; readonly at: Path | undefined } {
  let { value, at } = given ?? { value: undefined, at: undefined }
  for (let depth = 0; isMessageLike(value); depth++) {
    if (depth >= MAX_DEPTH)
      return fail('too-deep', at, 'messages within messages', `at most ${MAX_DEPTH} levels`)
    at = below(at, 'content')
    value = ownValue(value as object, 'content')
  }
  return { value, at }
}

/** Everything that an answer says, gathered from wherever others keep it: thoughts, content, refusal, calls. */
export function readAnswer(pick: Picker, reading: Reading, spare: Spare): readonly Part[] {
  const thoughts = readParts(pick.take(['reasoning', 'reasoning_content', 'thinking']), reading, spare)
  const content = readParts(pick.take(['content']), reading, spare)
  const refused = readParts(pick.take(['refusal']), reading, spare)
  const called = readList(calls, pick.take(['tool_calls', 'toolCalls']), reading, spare)
  const legacy = pick.take(['function_call'])
  return [
    ...thoughts.map((part) => (part.type === 'reasoning' ? part : reasoning(textOf(part)))),
    ...content,
    ...readList(attachments, pick.take(['attachments']), reading, spare),
    ...refused.map((part) => refusal(textOf(part))),
    ...called,
    ...(legacy === undefined ? [] : [readCall(legacy.value, legacy.at, reading, spare)]),
  ]
}

/** What a user or a system says, attachments last. */
export function readSpoken(pick: Picker, reading: Reading, spare: Spare): readonly Part[] {
  const content = readParts(pick.take(['content']), reading, spare)
  return [...content, ...readList(attachments, pick.take(['attachments']), reading, spare)]
}

function readList<T>(
  shape: Shape<readonly T[]>,
  given: Picked | undefined,
  reading: Reading,
  spare: Spare,
): readonly T[] {
  return given === undefined ? [] : shape.read(given.value, given.at, reading, spare)
}
