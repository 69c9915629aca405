import { callIdRule, MAX_TEMPERATURE, toolNameRule } from '../../dialects/mistral/constants.ts'
import { isValidCallId } from '../../dialects/shared/call-ids.ts'
import { isValidToolName } from '../../dialects/shared/tool-names.ts'
import {
  eachOf,
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type WireObject,
} from './request-rule.ts'

const listMessages = (body: WireObject): readonly WireObject[] => listObjects(body['messages'])

/** The code of an error about the order of messages. */
const ORDER_CODE = '3230'

/** The roles that may follow each role. A user message may follow tool results since version 1.11.1 (April 2026). */
const FOLLOWING_ROLES: { readonly [role: string]: readonly string[] } = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
}

const describeId = (id: string): string =>
  `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of ${callIdRule.maxLength}.`

const describeName = (name: string): string =>
  `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of ${toolNameRule.maxLength}.`

const findInvalidId = (id: string, path: string): ReturnType<typeof refuse> =>
  isValidCallId(id, callIdRule) ? [] : refuse(path, describeId(id), ORDER_CODE)

const findInvalidName = (name: string, path: string): ReturnType<typeof refuse> =>
  isValidToolName(name, toolNameRule) ? [] : refuse(path, describeName(name))

/** Returns the index of the first assistant message whose calls and results differ in number; -1 if none does. */
function findUnansweredCalls(messages: readonly WireObject[]): number {
  let caller = -1
  let open = 0
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') open -= 1
    if (message['role'] !== 'assistant') continue
    if (open !== 0) return Math.max(caller, 0)
    caller = index
    open = listObjects(message['tool_calls']).length
  }
  return open === 0 ? -1 : Math.max(caller, 0)
}

/** Returns the results that answer no call of the answer before them, or one that was answered already. */
function findUnexpectedResults(messages: readonly WireObject[]): ReturnType<typeof refuse> {
  let open = new Set<string>()
  let answered = new Set<string>()
  return messages.flatMap((message, index) => {
    if (message['role'] === 'assistant') {
      open = new Set(listObjects(message['tool_calls']).map(({ id }) => getText(id)))
      answered = new Set()
    }
    if (message['role'] !== 'tool') return []
    const id = getText(message['tool_call_id'])
    const problem = answered.has(id) ? 'Duplicate' : open.has(id) ? undefined : 'Unexpected'
    answered.add(id)
    return problem === undefined
      ? []
      : refuse(`/messages/${index}/tool_call_id`, `${problem} tool call id ${id} in tool results`, ORDER_CODE)
  })
}

/**
 * What Mistral's API refuses beyond its schema. Most texts and conditions are those of the validator that Mistral publishes.
 * @see https://github.com/mistralai/mistral-common (`protocol/instruct/validator.py`, version 1.11.7, July 2026)
 */
export const mistralRules: readonly RequestRule[] = [
  {
    id: 'messages',
    summary: 'A request has messages, and an answer is not the only one.',
    find: ({ messages }) => {
      if (!Array.isArray(messages)) return []
      if (messages.length === 0) return refuse('/messages', 'Conversation must have at least one message')
      const [only] = listObjects(messages)
      const isAnswer = messages.length === 1 && (only?.['role'] === 'assistant' || only?.['role'] === 'tool')
      return isAnswer
        ? refuse('/messages/0/role', 'Conversation must start with a user message or system message')
        : []
    },
  },
  {
    id: 'turn-order',
    summary: 'System messages do not follow answers or results, and results follow answers or results.',
    find: eachOf('messages', ({ role }, index, messages) => {
      const before = getText(messages[index - 1]?.['role'])
      const following = FOLLOWING_ROLES[before]
      return following === undefined || following.includes(getText(role))
        ? []
        : refuse(
            `/messages/${index}/role`,
            `Unexpected role '${getText(role)}' after role '${before}'`,
            ORDER_CODE,
          )
    }),
  },
  {
    id: 'last-message',
    summary: 'The last message is not an answer, unless it has `prefix`.',
    find: (body) => {
      const messages = listMessages(body)
      const last = messages.at(-1)
      return messages.length > 1 && last?.['role'] === 'assistant' && last['prefix'] !== true
        ? refuse(
            `/messages/${messages.length - 1}/role`,
            'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
            ORDER_CODE,
          )
        : []
    },
  },
  {
    id: 'prefix-is-last',
    summary: 'Only the last message has `prefix`.',
    find: eachOf('messages', ({ prefix }, index, messages) =>
      prefix === true && index < messages.length - 1
        ? refuse(
            `/messages/${index}/prefix`,
            'Assistant message with prefix True must be last message',
            ORDER_CODE,
          )
        : [],
    ),
  },
  {
    id: 'calls-have-results',
    summary: 'An answer with calls is followed by a tool message for each of them.',
    find: (body) => {
      const index = findUnansweredCalls(listMessages(body))
      return index === -1
        ? []
        : refuse(`/messages/${index}`, 'Not the same number of function calls and responses', ORDER_CODE)
    },
  },
  {
    id: 'results-have-calls',
    summary: 'A tool message answers a call of the answer before it, and each call is answered once.',
    find: (body) => findUnexpectedResults(listMessages(body)),
  },
  {
    id: 'call-ids',
    summary: `Call ids consist of ${callIdRule.maxLength} letters and digits.`,
    find: eachOf('messages', (message, index) => [
      ...listObjects(message['tool_calls']).flatMap((call, at) =>
        findInvalidId(getText(call['id']), `/messages/${index}/tool_calls/${at}/id`),
      ),
      ...(message['role'] === 'tool'
        ? findInvalidId(getText(message['tool_call_id']), `/messages/${index}/tool_call_id`)
        : []),
    ]),
  },
  {
    id: 'tool-names',
    summary: `Names of tools have at most ${toolNameRule.maxLength} letters, digits, underscores and dashes.`,
    find: (body) => [
      ...listObjects(body['tools']).flatMap((tool, index) =>
        tool['function'] === undefined
          ? []
          : findInvalidName(getText(getObject(tool, 'function')['name']), `/tools/${index}/function/name`),
      ),
      ...listMessages(body).flatMap(({ tool_calls: calls }, index) =>
        listObjects(calls).flatMap((call, at) =>
          findInvalidName(
            getText(getObject(call, 'function')['name']),
            `/messages/${index}/tool_calls/${at}/function/name`,
          ),
        ),
      ),
    ],
  },
  {
    id: 'temperature',
    summary: `The temperature is at most ${MAX_TEMPERATURE}.`,
    find: ({ temperature }) =>
      typeof temperature === 'number' && (temperature > MAX_TEMPERATURE || temperature < 0)
        ? refuse('/temperature', `Input should be less than or equal to ${MAX_TEMPERATURE}`)
        : [],
  },
]
