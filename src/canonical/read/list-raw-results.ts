import { getOwnValue, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import { OPAQUE_MESSAGE_KEY, type Part, type ToolResultPart } from '../model/part.ts'

/** Read the id of the call from an object that is, or contains, a result in a wire format. */
const callIdReaders: readonly ((value: JsonObject) => Json | undefined)[] = [
  (value) => value['tool_use_id'],
  (value) => value['tool_call_id'],
  ({ type, call_id: id }) =>
    typeof type === 'string' && /_output$|^function_result$/.test(type) ? id : undefined,
  ({ functionResponse: result }) => (isObject(result) ? result['id'] : undefined),
  ({ toolResult: result }) => (isObject(result) ? result['toolUseId'] : undefined),
  ({ function_response: result }) => (isObject(result) ? result['id'] : undefined),
]

const NO_RESULTS: readonly ToolResultPart[] = []

/**
 * Returns the results in a raw message, without their content: the calls that they answer need no other result. Of a
 * dialect, if one is given.
 */
export function listRawResults(message: Message, dialect?: string): readonly ToolResultPart[] {
  const { role, content } = message
  const only: Part | undefined = content[0]
  if (role === 'assistant' || content.length !== 1 || only?.type !== 'opaque') return NO_RESULTS
  if (!isObject(only.value) || (dialect !== undefined && only.dialect !== dialect)) return NO_RESULTS
  const wire = getOwnValue(only.value, OPAQUE_MESSAGE_KEY)
  return listObjects(wire as Json).flatMap((value) =>
    callIdReaders.flatMap((read): readonly ToolResultPart[] => {
      const callId = read(value)
      return typeof callId === 'string' ? [{ type: 'tool-result', callId, content: [] }] : []
    }),
  )
}

/** Returns a message, and the parts or blocks that it contains. */
function listObjects(wire: Json | undefined): readonly JsonObject[] {
  if (!isObject(wire)) return []
  const parts = [wire['content'], wire['parts']].flatMap((list) => (Array.isArray(list) ? list : []))
  return [wire, ...parts.filter((part): part is JsonObject => isObject(part))]
}
