import { callIdRule, MAX_STOP_SEQUENCES, toolNameRule } from '../../dialects/openai-chat/constants.ts'
import { createOpenAIToolRules, findTooLong } from './openai-tools.ts'
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
const listCallIds = (message: WireObject | undefined): readonly string[] =>
  listObjects(message?.['tool_calls']).map((call) => getText(call['id']))

/** The calls of each assistant message that have no result in the tool messages after it, and results without a call. */
function matchResults(messages: readonly WireObject[]): {
  readonly open: ReadonlyMap<number, readonly string[]>
  readonly orphans: readonly number[]
} {
  const open = new Map<number, string[]>()
  const orphans: number[] = []
  let current: { readonly index: number; readonly ids: Set<string> } | undefined
  const close = (): void => {
    if (current !== undefined && current.ids.size > 0) open.set(current.index, [...current.ids])
  }
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      if (current?.ids.delete(getText(message['tool_call_id'])) !== true) orphans.push(index)
      continue
    }
    close()
    current = { index, ids: new Set(listCallIds(message)) }
  }
  close()
  return { open, orphans }
}

const EMPTY_ARRAY_TEXT =
  'empty array. Expected an array with minimum length 1, but got an empty array instead.'

/** The image formats that OpenAI accepts. */
const IMAGE_FORMATS = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/i

/** What OpenAI's Chat API refuses beyond its schema. The texts are those of its server. */
export const openaiChatRules: readonly RequestRule[] = [
  {
    id: 'messages',
    summary: 'A request has messages.',
    find: ({ messages }) =>
      Array.isArray(messages) && messages.length === 0
        ? refuse('/messages', `Invalid 'messages': ${EMPTY_ARRAY_TEXT}`, 'empty_array')
        : [],
  },
  {
    id: 'calls-have-results',
    summary: 'Tool messages with a result for every call follow an assistant message with tool calls.',
    find: (body) =>
      [...matchResults(listMessages(body)).open].flatMap(([index, ids]) =>
        refuse(
          `/messages/${index}`,
          "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
            `The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
        ),
      ),
  },
  {
    id: 'results-have-calls',
    summary: 'Every tool message belongs to a call of the assistant message before it.',
    find: (body) =>
      matchResults(listMessages(body)).orphans.flatMap((index) =>
        refuse(
          `/messages/${index}/role`,
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        ),
      ),
  },
  {
    id: 'call-id-length',
    summary: `Call ids have at most ${callIdRule.maxLength} characters.`,
    find: eachOf('messages', (message, index) => [
      ...listCallIds(message).flatMap((id, at) =>
        findTooLong(
          id,
          `messages[${index}].tool_calls[${at}].id`,
          `/messages/${index}/tool_calls/${at}/id`,
          callIdRule.maxLength,
        ),
      ),
      ...findTooLong(
        getText(message['tool_call_id']),
        `messages[${index}].tool_call_id`,
        `/messages/${index}/tool_call_id`,
        callIdRule.maxLength,
      ),
    ]),
  },
  {
    id: 'content-in-messages',
    summary: 'A message has content, calls, a refusal or audio.',
    find: eachOf('messages', (message, index) => {
      const { content } = message
      const hasOther = ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => key in message)
      const isEmpty = Array.isArray(content) && content.length === 0
      const path = `/messages/${index}/content`
      if (isEmpty)
        return refuse(path, `Invalid 'messages[${index}].content': ${EMPTY_ARRAY_TEXT}`, 'empty_array')
      return (content ?? undefined) === undefined && !hasOther
        ? refuse(path, "Invalid value for 'content': expected a string, got null.")
        : []
    }),
  },
  {
    id: 'image-formats',
    summary: 'Inline images are PNG, JPEG, GIF or WebP, and not empty.',
    find: eachOf('messages', (message, index) =>
      listObjects(message['content']).flatMap((part, at) => {
        const url = getText(getObject(part, 'image_url')['url'])
        return !url.startsWith('data:') || (IMAGE_FORMATS.test(url) && !url.endsWith(','))
          ? []
          : refuse(
              `/messages/${index}/content/${at}`,
              "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
              'invalid_image_format',
            )
      }),
    ),
  },
  {
    id: 'file-names',
    summary: 'Inline files have a file name.',
    find: eachOf('messages', (message, index) =>
      listObjects(message['content']).flatMap((part, at) => {
        const file = getObject(part, 'file')
        const place = `messages[${index}].content[${at}].file.filename`
        return file['file_data'] === undefined || file['filename'] !== undefined
          ? []
          : refuse(
              `/messages/${index}/content/${at}/file`,
              `Missing required parameter: '${place}'.`,
              'missing_required_parameter',
            )
      }),
    ),
  },
  {
    id: 'stop-sequences',
    summary: `A request has at most ${MAX_STOP_SEQUENCES} stop sequences.`,
    find: ({ stop }) =>
      Array.isArray(stop) && stop.length > MAX_STOP_SEQUENCES
        ? refuse(
            '/stop',
            `Invalid 'stop': array too long. Expected an array with maximum length ${MAX_STOP_SEQUENCES}, but got an array with length ${stop.length} instead.`,
            'array_above_max_length',
          )
        : [],
  },
  {
    id: 'stream-options-need-stream',
    summary: 'Stream options need `stream: true`.',
    find: (body) =>
      (body['stream_options'] ?? undefined) !== undefined && body['stream'] !== true
        ? refuse(
            '/stream_options',
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
          )
        : [],
  },
  ...createOpenAIToolRules(toolNameRule, ['tool_choice', 'parallel_tool_calls']),
]
