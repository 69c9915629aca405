import { throwWrongType } from '../../canonical/shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { toPlainInput } from '../engine/to-plain-input.ts'
import type { ToolAnswer } from '../shared/tool-answers.ts'

/** A tool that the client offers to the agent and runs itself. */
export interface AgUiClientTool {
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly parameters: JsonObject
}

/** The input of an AG-UI run. All of it is untrusted. */
export interface AgUiRunInput {
  readonly threadId: string
  readonly runId: string
  readonly parentRunId?: string
  readonly state: Json
  /** The messages as the client sent them. */
  readonly messages: readonly JsonObject[]
  readonly tools: readonly AgUiClientTool[]
  readonly context: readonly { readonly description: string; readonly value: string }[]
  readonly forwardedProps: Json
  /** Decisions about interrupts, and the results of tools at the end of the messages. */
  readonly answers: readonly ToolAnswer[]
}

/**
 * Reads the body that an AG-UI client posts. Its `messages` stay as the client sent them: convert them with
 * `agUiMessages.fromMessages` and pass the result to `sanitize`.
 *
 * @example
 * const { threadId, runId, messages, tools } = readAgUiRunInput(await request.json())
 */
export function readAgUiRunInput(body: unknown): AgUiRunInput {
  return withTypedErrors(() => {
    const plain = toPlainInput(body)
    if (!isObject(plain)) return throwWrongType(plain, undefined, 'the input of a run: an object')
    const input = plain
    const { parentRunId, state = null, forwardedProps = null } = input
    const messages = readObjects(input, 'messages', true)
    return {
      threadId: readText(input, 'threadId'),
      runId: readText(input, 'runId'),
      ...(typeof parentRunId === 'string' && { parentRunId }),
      state,
      messages,
      tools: readObjects(input, 'tools').map((tool, index) => readTool(tool, index)),
      context: readObjects(input, 'context').flatMap(({ description, value }) =>
        typeof description === 'string' && typeof value === 'string' ? { description, value } : [],
      ),
      forwardedProps,
      answers: [...readObjects(input, 'resume').flatMap(readDecision), ...readResults(messages)],
    }
  }, [body])
}

function readText(input: JsonObject, name: string): string {
  const { [name]: value } = input
  if (typeof value === 'string' && value !== '') return value
  return throwWrongType(value, child(undefined, name), 'a non-empty string')
}

function readObjects(input: JsonObject, name: string, isRequired = false): readonly JsonObject[] {
  const { [name]: list = isRequired ? null : [] } = input
  const path = child(undefined, name)
  if (list === null && !isRequired) return []
  if (!Array.isArray(list)) return throwWrongType(list, path, 'a list')
  return list.map((item: Json, index) =>
    isObject(item) ? item : throwWrongType(item, child(path, index), 'an object'),
  )
}

function readTool({ name, description, parameters }: JsonObject, index: number): AgUiClientTool {
  const path = child(child(undefined, 'tools'), index)
  if (typeof name !== 'string' || name === '')
    return throwWrongType(name, child(path, 'name'), 'the name of a tool')
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: isObject(parameters) ? parameters : { type: 'object', properties: {} },
  }
}

/** Reads an answer to an interrupt: `{ approved, reason? }`, or a boolean. A cancelled interrupt is a denial. */
function readDecision({ interruptId, status, payload }: JsonObject): readonly ToolAnswer[] {
  if (typeof interruptId !== 'string') return []
  const fields: { readonly [key: string]: unknown } = isObject(payload) ? payload : { approved: payload }
  const isApproved = status === 'resolved' && fields['approved'] === true
  const { reason } = fields
  return [{ type: 'approval', id: interruptId, isApproved, ...(typeof reason === 'string' && { reason }) }]
}

/** Returns the results of the tool messages at the end: the client ran these calls. */
function readResults(messages: readonly JsonObject[]): readonly ToolAnswer[] {
  const start = messages.findLastIndex(({ role }) => role !== 'tool') + 1
  return messages.slice(start).flatMap(({ toolCallId, content, error }): readonly ToolAnswer[] => {
    if (typeof toolCallId !== 'string') return []
    if (typeof error === 'string')
      return [{ type: 'output', callId: toolCallId, output: error, isError: true }]
    return [{ type: 'output', callId: toolCallId, output: readContent(content), isError: false }]
  })
}

/** Returns the text of a tool message, which may also be a list of parts. */
function readContent(content: Json | undefined): Json {
  if (typeof content === 'string') return content
  const texts = itemsOf(content).map((part) =>
    isObject(part) && typeof part['text'] === 'string' ? part['text'] : '',
  )
  return texts.join('')
}
