import {
  choiceNeedsTools,
  each,
  listOf,
  objects,
  repeated,
  textOf,
  textsOf,
  type Wire,
  type WireRule,
  without,
} from './rule.ts'

const callsOf = (message: Wire | undefined): readonly string[] => textsOf(listOf(message, 'tool_calls'), 'id')

const isTool = ({ role }: Wire): boolean => role === 'tool'

/** The results that stand right after a message. */
function answersTo(messages: readonly Wire[], index: number): readonly string[] {
  const after = messages.slice(index + 1)
  const end = after.findIndex((message) => !isTool(message))
  return textsOf(end === -1 ? after : after.slice(0, end), 'tool_call_id')
}

const toolNames = (body: Wire): readonly string[] =>
  textsOf(
    listOf(body, 'tools').flatMap((tool) => objects([tool['function'] ?? tool['custom'] ?? null])),
    'name',
  )

const eachMessage = (broken: Parameters<typeof each>[1]): WireRule['broken'] => each('messages', broken)

/** What OpenAI's server refuses. */
export const chatRules: readonly WireRule[] = [
  {
    id: 'calls-answered',
    broken: eachMessage((message, index, all) => without(callsOf(message), answersTo(all, index))),
  },
  {
    id: 'results-answer',
    broken: eachMessage((message, index, all) => {
      const asked = all.slice(0, index).findLast((before) => !isTool(before))
      const id = textOf(message['tool_call_id'])
      return isTool(message) && !callsOf(asked).includes(id) ? [id] : []
    }),
  },
  {
    id: 'short-ids',
    broken: eachMessage((message) =>
      [...callsOf(message), ...(isTool(message) ? [textOf(message['tool_call_id'])] : [])].filter(
        (id) => id === '' || id.length > 40,
      ),
    ),
  },
  { id: 'fit-names', broken: (body) => toolNames(body).filter((name) => !/^[\w-]{1,64}$/.test(name)) },
  { id: 'unique-tools', broken: (body) => repeated(toolNames(body)) },
  {
    id: 'content-in-messages',
    broken: eachMessage((message, index) => {
      const { content } = message
      const elsewhere = ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => key in message)
      const silent = content === undefined || content === null
      return (Array.isArray(content) && content.length === 0) || (silent && !elsewhere)
        ? [`messages/${index}`]
        : []
    }),
  },
  {
    id: 'four-stops',
    broken: ({ stop }) => (Array.isArray(stop) && stop.length > 4 ? [`${stop.length} stops`] : []),
  },
  choiceNeedsTools,
  {
    id: 'options-need-stream',
    broken: (body) => ('stream_options' in body && body['stream'] !== true ? ['stream_options'] : []),
  },
]
