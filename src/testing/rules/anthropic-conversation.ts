import { callIdRule } from '../../dialects/anthropic/constants.ts'
import { isValidCallId } from '../../dialects/shared/call-ids.ts'
import { findModelFamily } from '../../models/find-model-family.ts'
import { type Json } from '../../wire/json.ts'
import {
  eachOf,
  findMissing,
  findRepeated,
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type Violation,
  type WireObject,
} from './request-rule.ts'

const listTurns = (body: WireObject): readonly WireObject[] => listObjects(body['messages'])
const listBlocks = (turn: WireObject | undefined): readonly WireObject[] => listObjects(turn?.['content'])

function listIds(turn: WireObject | undefined, type: string, key: string): readonly string[] {
  return listBlocks(turn)
    .filter((block) => block['type'] === type)
    .map((block) => getText(block[key]))
}

const listCallIds = (turn: WireObject | undefined): readonly string[] => listIds(turn, 'tool_use', 'id')
const listResultIds = (turn: WireObject | undefined): readonly string[] =>
  listIds(turn, 'tool_result', 'tool_use_id')

/** Creates a check of each content block of each turn. */
function eachBlock(
  find: (block: WireObject, path: string, place: string, turn: WireObject) => Violation | undefined,
): RequestRule['find'] {
  return eachOf('messages', (turn, index) =>
    listBlocks(turn).flatMap(
      (block, at) =>
        find(block, `/messages/${index}/content/${at}`, `messages.${index}.content.${at}`, turn) ?? [],
    ),
  )
}

const isFilled = (content: Json | undefined): boolean =>
  typeof content === 'string' ? content !== '' : Array.isArray(content) && content.length > 0

const isThinkingBlock = (block: WireObject | undefined): boolean =>
  block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking'

/** Finds the last turn with content of the user before the results at the end: it separates tool loops. */
function findLastUserTurn(turns: readonly WireObject[]): number {
  const earlier = turns.slice(0, -1)
  return earlier.findLastIndex((turn) => {
    const resultCount = listResultIds(turn).length
    return turn['role'] === 'user' && (resultCount === 0 || listBlocks(turn).length > resultCount)
  })
}

/** What Anthropic refuses in a conversation beyond its schema. The texts are those of its server. */
export const anthropicConversationRules: readonly RequestRule[] = [
  {
    id: 'messages',
    summary: 'A request has messages.',
    find: (body) =>
      Array.isArray(body['messages']) && body['messages'].length === 0
        ? refuse('/messages', 'messages: at least one message is required')
        : [],
  },
  {
    id: 'user-first',
    summary: 'The first message is from the user.',
    find: (body) =>
      listTurns(body)[0]?.['role'] === 'assistant'
        ? refuse('/messages/0', 'messages: first message must use the "user" role')
        : [],
  },
  {
    id: 'calls-have-results',
    summary: 'The next message contains a result for every tool call.',
    find: eachOf('messages', (turn, index, turns) => {
      const open = findMissing(listCallIds(turn), listResultIds(turns[index + 1]))
      if (open.length === 0) return []
      const message =
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
        `${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
      return refuse(`/messages/${index}`, message)
    }),
  },
  {
    id: 'results-have-calls',
    summary: 'Every result belongs to a tool call of the message before.',
    find: eachOf('messages', (turn, index, turns) =>
      findMissing(listResultIds(turn), listCallIds(turns[index - 1])).map((id) => ({
        path: `/messages/${index}`,
        message:
          `messages.${index}.content.${listResultIds(turn).indexOf(id)}: unexpected \`tool_use_id\` found in ` +
          `\`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block ` +
          'in the previous message.',
      })),
    ),
  },
  {
    id: 'one-result-per-call',
    summary: 'A tool call has one result.',
    find: eachOf('messages', (turn, index) =>
      findRepeated(listResultIds(turn)).map((id) => ({
        path: `/messages/${index}`,
        message: `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      })),
    ),
  },
  {
    id: 'results-first',
    summary: 'Results come before other content of their message.',
    find: eachOf('messages', (turn, index) => {
      const isResult = listBlocks(turn).map((block) => block['type'] === 'tool_result')
      if (isResult.lastIndexOf(true) < isResult.filter(Boolean).length) return []
      return refuse(
        `/messages/${index}`,
        `messages.${index}: \`tool_result\` blocks must come first in the content of a message.`,
      )
    }),
  },
  {
    id: 'unique-call-ids',
    summary: 'No two tool calls have the same id.',
    find: (body) =>
      findRepeated(listTurns(body).flatMap(listCallIds)).map(() => ({
        path: '/messages',
        message: 'messages: `tool_use` ids must be unique',
      })),
  },
  {
    id: 'call-id-characters',
    summary: 'Call ids consist of letters, digits, `_` and `-`.',
    find: eachBlock((block, path, place) => {
      const key = { tool_use: 'id', tool_result: 'tool_use_id' }[getText(block['type'])]
      return key === undefined || isValidCallId(getText(block[key]), callIdRule)
        ? undefined
        : {
            path: `${path}/${key}`,
            message: `${place}.${getText(block['type'])}.${key}: String should match pattern '^[a-zA-Z0-9_-]+$'`,
          }
    }),
  },
  {
    id: 'text-not-blank',
    summary: 'Text blocks contain more than white space.',
    find: (body) => {
      const blocks = [...listObjects(body['system']), ...listTurns(body).flatMap(listBlocks)]
      const blank = blocks.find((block) => block['type'] === 'text' && getText(block['text']).trim() === '')
      if (blank === undefined) return []
      const message =
        blank['text'] === ''
          ? 'messages: text content blocks must be non-empty'
          : 'messages: text content blocks must contain non-whitespace text'
      return refuse('/messages', message)
    },
  },
  {
    id: 'content-in-messages',
    summary: 'Every message has content.',
    find: eachOf('messages', ({ content }, index, turns) =>
      isFilled(content) || (index === turns.length - 1 && turns[index]?.['role'] === 'assistant')
        ? []
        : refuse(
            `/messages/${index}/content`,
            `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
          ),
    ),
  },
  {
    id: 'documents-from-user',
    summary: 'Only user messages contain documents.',
    find: eachBlock((block, path, place, turn) =>
      turn['role'] === 'assistant' && (block['type'] === 'document' || block['type'] === 'image')
        ? {
            path,
            message: `${place}: '${getText(block['type'])}' blocks are not permitted within assistant turns`,
          }
        : undefined,
    ),
  },
  {
    id: 'filled-sources',
    summary: 'Images and documents contain data.',
    find: eachBlock((block, path, place) => {
      const source = getObject(block, 'source')
      return source['type'] === 'base64' && source['data'] === ''
        ? {
            path: `${path}/source/data`,
            message: `${place}.${getText(block['type'])}.source.base64: ${getText(block['type'])} cannot be empty`,
          }
        : undefined
    }),
  },
  {
    id: 'errors-have-content',
    summary: 'A result that is an error has content.',
    find: eachBlock((block, path, place) =>
      block['type'] === 'tool_result' && block['is_error'] === true && !isFilled(block['content'])
        ? { path, message: `${place}.tool_result: content cannot be empty if \`is_error\` is true` }
        : undefined,
    ),
  },
  {
    id: 'no-trailing-space',
    summary: 'An assistant message at the end does not end with white space.',
    find: (body) => {
      const last = listTurns(body).at(-1)
      const content = last?.['content']
      const text = typeof content === 'string' ? content : getText(listBlocks(last).at(-1)?.['text'])
      return last?.['role'] === 'assistant' && /\s$/.test(text)
        ? refuse('/messages', 'messages: final assistant content cannot end with trailing whitespace')
        : []
    },
  },
  {
    id: 'thinking-starts-tool-loop',
    summary:
      'With a thinking budget, the current tool loop of Claude 4.6 and older starts with a thinking block.',
    find: (body, { model }) => {
      if (findModelFamily(model)?.reasoningVendor !== 'anthropic') return []
      const turns = listTurns(body)
      const isLoop = listResultIds(turns.at(-1)).length > 0
      if (getObject(body, 'thinking')['type'] !== 'enabled' || !isLoop) return []
      const index = findLastUserTurn(turns) + 1
      const [first] = listBlocks(turns[index])
      if (isThinkingBlock(first)) return []
      const message =
        `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
        `\`${getText(first?.['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`
      return refuse(`/messages/${index}/content/0`, message)
    },
  },
]
