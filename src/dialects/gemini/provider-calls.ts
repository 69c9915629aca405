import { argumentsText } from '../../canonical/build/arguments.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { describeProviderCall, describeProviderResult } from '../shared/describe.ts'
import type { CallBook } from './call-book.ts'
import { failures } from './codes.ts'
import type { Read, Writing } from './parts.ts'
import { camel } from './spelling.ts'

/** What we call the tool by which the provider runs code that the model wrote. */
const CODE = 'code_execution'

/** Reads code that the provider ran. */
export function decodeCode(wire: Json, book: CallBook): Read | undefined {
  if (!isObject(wire)) return undefined
  const { id, ...rest } = wire
  const { code } = rest
  if (typeof code !== 'string') return undefined
  const call = book.call(id, CODE, () => code)
  return {
    part: { type: 'tool-call', id: call, name: CODE, arguments: rest, executedBy: 'provider' },
    hints: { wireType: 'executableCode' },
  }
}

/** Reads what that code gave. */
export function decodeCodeResult(wire: Json, book: CallBook): Read | undefined {
  if (!isObject(wire)) return undefined
  const { id, ...rest } = wire
  const callId = book.answered(id, CODE, () => JSON.stringify(rest))
  const failed = failures.has(rest['outcome']) ? { isError: true as const } : {}
  return {
    part: { type: 'tool-result', callId, content: [data(rest)], ...failed },
    hints: { wireType: 'codeExecutionResult' },
  }
}

/** Reads a call of another tool that the provider runs. */
export function decodeToolCall(wire: Json, book: CallBook): Read | undefined {
  if (!isObject(wire)) return undefined
  const { id, toolType, args = {} } = camel(wire)
  if (
    typeof id !== 'string' ||
    id === '' ||
    typeof toolType !== 'string' ||
    toolType === '' ||
    !isObject(args)
  )
    return undefined
  book.call(id, toolType, () => '')
  return {
    part: { type: 'tool-call', id, name: toolType, arguments: args, executedBy: 'provider' },
    hints: { wireType: 'toolCall' },
  }
}

/** Reads what such a tool gave. */
export function decodeToolResponse(wire: Json, book: CallBook): Read | undefined {
  if (!isObject(wire)) return undefined
  const { id, toolType, response } = camel(wire)
  if (typeof id !== 'string' || id === '' || typeof toolType !== 'string' || toolType === '') return undefined
  book.answered(id, toolType, () => '')
  return {
    part: {
      type: 'tool-result',
      callId: id,
      name: toolType,
      content: response === undefined ? [] : [data(response)],
    },
    hints: { wireType: 'toolResponse' },
  }
}

function data(value: Json): ToolResultPart['content'][number] {
  return sealOwn({ type: 'json', value })
}

/** Writes a call that this provider ran; one of another provider is told in words. */
export function encodeProviderCall(call: ToolCallPart, { hints, at, encoding }: Writing): JsonObject {
  const kind = hints['wireType']
  const args = call.arguments ?? {}
  if (kind === 'toolCall') return { toolCall: { id: call.id, toolType: call.name, args } }
  if (kind === 'executableCode') {
    if (call.name !== CODE) encoding.lose('name-changed', below(at, 'name'))
    return { executableCode: { ...args, id: call.id } }
  }
  encoding.lose('foreign-provider-call', at)
  return { text: describeProviderCall({ ...call, rawArguments: argumentsText(call) }) }
}

/** Writes what a tool of this provider gave; the result of another provider's tool is told in words. */
export function encodeProviderResult(result: ToolResultPart, { hints, at, encoding }: Writing): JsonObject {
  const [only, ...others] = result.content
  const value = others.length > 0 ? undefined : only?.type === 'json' ? only.value : undefined
  const kind = hints['wireType']
  const failed = isObject(value) && failures.has(value['outcome'])
  if (kind === 'toolResponse' && (only === undefined || value !== undefined)) {
    if (result.isError) encoding.lose('no-field', below(at, 'isError'))
    const response = value === undefined ? {} : { response: value }
    return { toolResponse: { id: result.callId, toolType: result.name ?? '', ...response } }
  }
  if (kind === 'codeExecutionResult' && isObject(value)) {
    if (failed !== (result.isError === true)) encoding.lose('no-field', below(at, 'isError'))
    if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
    return { codeExecutionResult: { ...value, id: result.callId } }
  }
  encoding.lose('foreign-provider-call', at)
  return { text: describeProviderResult(result) }
}
