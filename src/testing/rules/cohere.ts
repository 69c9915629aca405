import { isObject, type Json, tryParseJson } from '../../wire/json.ts'
import { cohereSchemaRules } from './cohere-schemas.ts'
import {
  eachOf,
  findMissing,
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type Violation,
  type WireObject,
} from './request-rule.ts'

const listMessages = (body: WireObject): readonly WireObject[] => listObjects(body['messages'])
const listTools = (body: WireObject): readonly WireObject[] => listObjects(body['tools'])
const listDocuments = (body: WireObject): readonly Json[] =>
  Array.isArray(body['documents']) ? body['documents'] : []
const listCalls = (message: WireObject | undefined): readonly WireObject[] =>
  listObjects(message?.['tool_calls'])
const listCallIds = (message: WireObject | undefined): readonly string[] =>
  listCalls(message).map(({ id }) => getText(id))

/** The settings with limits, and the limits in the words of the server. */
const settingLimits: readonly (readonly [field: string, min: number, max: number, text: string])[] = [
  // https://docs.cohere.com/reference/errors
  ['temperature', 0, 1, 'must be between 0 and 1.0 inclusive.'],
  ['presence_penalty', 0, 1, 'must be between 0 and 1 inclusive.'],
  // https://github.com/yjmrobert/cohere-dotnet
  ['max_tokens', 0, Infinity, 'cannot be less than 0.'],
  // The limits are those of the API reference. The texts are not published.
  ['frequency_penalty', 0, 1, 'must be between 0 and 1 inclusive.'],
  ['p', 0.01, 0.99, 'must be between 0.01 and 0.99 inclusive.'],
  ['k', 0, 500, 'must be between 0 and 500 inclusive.'],
  ['seed', 0, Infinity, 'cannot be less than 0.'],
  ['priority', 0, 999, 'must be between 0 and 999 inclusive.'],
]

const MAX_STOPS = 5

const EMPTY_MESSAGE =
  'invalid request: message must be at least 1 token long or tool results must be specified.'

/** Returns true for content without a text or another block. */
function isEmptyContent(content: Json | undefined): boolean {
  if (typeof content === 'string') return content === ''
  if (!Array.isArray(content)) return content === undefined || content === null
  return content.every((block) => isObject(block) && block['type'] === 'text' && block['text'] === '')
}

/** Returns true if a message contains nothing. A tool message may be empty. */
function isEmptyMessage({ role, content, tool_plan: plan, tool_calls: calls }: WireObject): boolean {
  if (role === 'tool' || !isEmptyContent(content)) return false
  return role !== 'assistant' || (getText(plan) === '' && listObjects(calls).length === 0)
}

/** Creates a check of each call, with its path and its place in the words of the server. */
function eachCall(
  find: (call: WireObject, path: string, place: string) => Iterable<Violation>,
): RequestRule['find'] {
  return eachOf('messages', (message, index) =>
    listCalls(message).flatMap((call, at) => [
      ...find(call, `/messages/${index}/tool_calls/${at}`, `messages[${index}].tool_calls[${at}]`),
    ]),
  )
}

/** Returns true for the arguments of a call: the text of an object, or of `null`. */
function isObjectText(text: Json | undefined): boolean {
  const value = tryParseJson(getText(text))
  return isObject(value) || value === null
}

/** Returns the ids of the calls that the tool messages directly after a message answer. */
function listAnsweredIds(messages: readonly WireObject[], index: number): readonly string[] {
  const ids: string[] = []
  for (let at = index + 1; messages[at]?.['role'] === 'tool'; at++)
    ids.push(getText(messages[at]?.['tool_call_id']))
  return ids
}

/**
 * What the Chat API v2 refuses beyond its schema. Most texts are those of the list of errors that Cohere publishes, or of
 * answers that users report.
 * @see https://docs.cohere.com/reference/errors and https://docs.cohere.com/reference/chat
 */
export const cohereRules: readonly RequestRule[] = [
  {
    id: 'messages',
    summary: 'A request has messages.',
    find: ({ messages }) =>
      Array.isArray(messages) && messages.length === 0 ? refuse('/messages', EMPTY_MESSAGE) : [],
  },
  {
    id: 'content',
    summary: 'A message has content; an answer may have calls or a tool plan instead.',
    find: eachOf('messages', (message, index, messages) =>
      isEmptyMessage(message)
        ? refuse(
            `/messages/${index}/content`,
            index === messages.length - 1
              ? EMPTY_MESSAGE
              : 'invalid request: all elements in history must have a message.',
          )
        : [],
    ),
  },
  {
    // https://github.com/vercel/ai/issues/5794
    id: 'no-text-beside-calls',
    summary: 'An answer with calls has no text, but a tool plan or thinking.',
    find: eachOf('messages', (message, index) => {
      const { content } = message
      const at =
        typeof content === 'string' ? 0 : listObjects(content).findIndex(({ type }) => type === 'text')
      return listCalls(message).length === 0 || isEmptyContent(content) || at === -1
        ? []
        : refuse(
            `/messages/${index}/content`,
            `text content is not allowed when tool_calls are provided. If you wish to pass a tool plan, either pass thinking content (with thinking enabled) or use 'tool_plan': 'messages[${index}].content[${at}]'`,
          )
    }),
  },
  {
    // https://github.com/oracle/langchain-oracle/issues/10
    id: 'calls-have-results',
    summary: 'An answer with calls is followed by a tool message for each of them.',
    find: eachOf('messages', (message, index, messages) => {
      const missing = findMissing(listCallIds(message), listAnsweredIds(messages, index))
      return missing.length === 0
        ? []
        : refuse(
            `/messages/${index}/tool_calls`,
            `invalid request: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`,
          )
    }),
  },
  {
    id: 'results-have-calls',
    summary: 'A tool message answers a call of an earlier answer.',
    find: (body) => {
      const known = new Set<string>()
      return listMessages(body).flatMap((message, index) => {
        for (const id of listCallIds(message)) known.add(id)
        const id = getText(message['tool_call_id'])
        return message['role'] !== 'tool' || known.has(id)
          ? []
          : refuse(
              `/messages/${index}/tool_call_id`,
              `invalid tool message at messages[${index}]: tool call id '${id}' not found in previous tool calls`,
            )
      })
    },
  },
  {
    id: 'unique-call-ids',
    summary: 'The id of a call occurs once in a conversation.',
    find: (body, context) => {
      const known = new Set<string>()
      return eachCall((call, path, place) => {
        const id = getText(call['id'])
        if (!known.has(id)) {
          known.add(id)
          return []
        }
        const message = `invalid tool call provided in ${place}: cannot have duplicate tool ids '${id}'`
        return refuse(`${path}/id`, message)
      })(body, context)
    },
  },
  {
    id: 'call-arguments',
    summary: 'The arguments of a call are the JSON text of an object.',
    find: eachCall((call, path, place) =>
      isObjectText(getObject(call, 'function')['arguments'])
        ? []
        : refuse(
            `${path}/function/arguments`,
            `invalid tool call provided in ${place}: tool arguments must be a stringified JSON object`,
          ),
    ),
  },
  {
    id: 'tool-names',
    summary: 'Names of tools consist of letters, digits and underscores, and do not start with a digit.',
    find: eachOf('tools', (tool, index) => {
      const name = getText(getObject(tool, 'function')['name'])
      return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)
        ? []
        : refuse(
            `/tools/${index}/function/name`,
            `invalid request: tool names can only contain certain characters (A-Za-z0-9_) and can't begin with a digit (provided name: '${name}').`,
          )
    }),
  },
  {
    id: 'tool-choice-needs-tools',
    summary: '`tool_choice` `REQUIRED` requires tools.',
    find: (body) =>
      body['tool_choice'] === 'REQUIRED' && listTools(body).length === 0
        ? refuse('/tool_choice', "invalid request: tool_choice 'REQUIRED' requires tools to be specified.")
        : [],
  },
  {
    id: 'output-without-tools',
    summary: 'An output format excludes tools and documents.',
    find: (body) => {
      const isJson = getObject(body, 'response_format')['type'] === 'json_object'
      const name = listDocuments(body).length > 0 ? 'RAG' : listTools(body).length > 0 ? 'tools' : undefined
      return isJson && name !== undefined
        ? refuse('/response_format', `invalid request: response_format is not supported with ${name}.`)
        : []
    },
  },
  ...cohereSchemaRules,
  {
    id: 'documents',
    summary: 'A document is not empty, and its id occurs once.',
    find: (body) => {
      const positions = new Map<string, number>()
      return listDocuments(body).flatMap((document, index) => {
        const { id, data } = isObject(document) ? document : { data: document }
        if (data === '' || (isObject(data) && Object.keys(data).length === 0))
          return refuse(`/documents/${index}`, `invalid request: document at index ${index} cannot be empty`)
        const name = getText(id)
        const first = positions.get(name)
        if (name !== '' && first === undefined) positions.set(name, index)
        return first === undefined
          ? []
          : refuse(
              `/documents/${index}/id`,
              `invalid request: duplicate document ID ${name} at index ${index} and ${first}`,
            )
      })
    },
  },
  {
    // https://github.com/yjmrobert/cohere-dotnet
    id: 'stop-sequences',
    summary: `A request has at most ${MAX_STOPS} stop sequences.`,
    find: ({ stop_sequences: stops }) =>
      Array.isArray(stops) && stops.length > MAX_STOPS
        ? refuse(
            '/stop_sequences',
            `invalid request: too many stop sequences provided, maximum is ${MAX_STOPS}, received ${stops.length}.`,
          )
        : [],
  },
  {
    id: 'settings',
    summary: 'Settings are within their limits.',
    find: (body) =>
      settingLimits.flatMap(([field, min, max, text]) => {
        const value = body[field]
        return typeof value === 'number' && (value < min || value > max)
          ? refuse(`/${field}`, `invalid request: ${field} ${text}`)
          : []
      }),
  },
  {
    id: 'thinking-budget',
    summary: 'The budget of thinking is positive.',
    find: (body) => {
      const { token_budget: budget } = getObject(body, 'thinking')
      return typeof budget === 'number' && budget < 1
        ? refuse('/thinking/token_budget', 'invalid request: thinking token_budget must be greater than 0')
        : []
    },
  },
]
