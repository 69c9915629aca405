import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import type { InputRecognizer } from '../engine/recognize-input.ts'
import { finishReasonTable } from './constants.ts'

/** The fields of a request that no other format has, and those that are rare in others. */
const ownFields = ['citation_options', 'safety_mode', 'strict_tools']
const rareFields = ['stop_sequences', 'k', 'p', 'documents']

/** Recognizes bodies of the Chat API and payloads of its streams. */
export const recognize: InputRecognizer = (value) =>
  recognizeStream(value) ?? recognizeResponse(value) ?? recognizeRequest(value)

function recognizeStream({ type, delta }: JsonObject): ReturnType<InputRecognizer> {
  if (
    typeof type !== 'string' ||
    !/^(?:message|content|tool-call|tool-plan|citation)-(?:start|delta|end)$/u.test(type)
  )
    return undefined
  return delta === undefined || isObject(delta)
    ? { kind: 'stream', certainty: 0.9, evidence: `type ${type}` }
    : undefined
}

function recognizeResponse({ finish_reason: reason, message }: JsonObject): ReturnType<InputRecognizer> {
  if (!isObject(message) || message['role'] !== 'assistant' || typeof reason !== 'string') return undefined
  if (finishReasonTable.fromWire(reason) === undefined) return undefined
  return { kind: 'response', certainty: 0.9, evidence: `finish_reason ${reason}, message` }
}

function recognizeRequest(value: JsonObject): ReturnType<InputRecognizer> {
  const { messages, tool_choice: choice } = value
  if (!isList(messages)) return undefined
  const own = ownFields.filter((field) => Object.hasOwn(value, field))
  if (choice === 'REQUIRED' || choice === 'NONE') own.push(`tool_choice ${choice}`)
  if (messages.some((message) => isObject(message) && 'tool_plan' in message)) own.push('tool_plan')
  const found = [...own, ...rareFields.filter((field) => Object.hasOwn(value, field))]
  if (found.length === 0) return undefined
  return { kind: 'request', certainty: own.length === 0 ? 0.95 : 1, evidence: found.join(', ') }
}
