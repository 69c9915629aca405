import { getCallIdRule, MAX_CACHE_POINTS, toolNameRule } from '../../dialects/bedrock/constants.ts'
import { isValidDocumentName } from '../../dialects/bedrock/document-names.ts'
import { isValidCallId } from '../../dialects/shared/call-ids.ts'
import { isValidToolName } from '../../dialects/shared/tool-names.ts'
import { isObject } from '../../wire/json.ts'
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

const listMessages = (body: WireObject): readonly WireObject[] => listObjects(body['messages'])
const listBlocks = (message: WireObject | undefined): readonly WireObject[] =>
  listObjects(message?.['content'])
const listTools = (body: WireObject): readonly WireObject[] =>
  listObjects(getObject(body, 'toolConfig')['tools'])
const listUses = (message: WireObject | undefined): readonly WireObject[] =>
  listBlocks(message).flatMap(({ toolUse }) => (isObject(toolUse) ? [toolUse] : []))
const listResults = (message: WireObject | undefined): readonly WireObject[] =>
  listBlocks(message).flatMap(({ toolResult }) => (isObject(toolResult) ? [toolResult] : []))
const listIds = (blocks: readonly WireObject[]): readonly string[] =>
  blocks.map(({ toolUseId }) => getText(toolUseId))
/** A use with a type is one of a tool that the host runs. */
const listOwnUses = (message: WireObject | undefined): readonly WireObject[] =>
  listUses(message).filter(({ type }) => type === undefined || type === 'tool_use')
const listDocuments = (body: WireObject): readonly WireObject[] =>
  listMessages(body).flatMap((message) =>
    listBlocks(message).flatMap(({ document }) => (isObject(document) ? [document] : [])),
  )

/** Creates a check of each content block, with its path. */
function eachBlock(
  find: (block: WireObject, path: string, message: WireObject) => Iterable<Violation>,
): RequestRule['find'] {
  return eachOf('messages', (message, index) =>
    listBlocks(message).flatMap((block, at) => [...find(block, `/messages/${index}/content/${at}`, message)]),
  )
}

/** Returns the place of a block in the words of the server. */
const toPlace = (path: string): string => path.slice(1).replaceAll('/', '.')

function checkMembers(value: WireObject, path: string): readonly Violation[] {
  return Object.values(value).filter((each) => each !== undefined && each !== null).length === 1
    ? []
    : refuse(path, `Value at '${toPlace(path)}' must have exactly one member of the union.`)
}

const findRepeatedRoles = eachOf('messages', ({ role }, index, messages) =>
  index > 0 && role !== 'system' && role === messages[index - 1]?.['role']
    ? refuse(
        `/messages/${index}/role`,
        'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
      )
    : [],
)

/** Returns the range of a setting that a value is outside of, as a violation. */
function checkRange(body: WireObject, key: string, max: number): readonly Violation[] {
  const value = getObject(body, 'inferenceConfig')[key]
  if (typeof value !== 'number' || (value >= 0 && value <= max)) return []
  const bound =
    value < 0 ? 'have value greater than or equal to 0' : `have value less than or equal to ${max}`
  return refuse(
    `/inferenceConfig/${key}`,
    `1 validation error detected: Value '${value}' at 'inferenceConfig.${key}' failed to satisfy constraint: Member must ${bound}`,
  )
}

/**
 * What the Converse API refuses beyond its schema. The texts are those of its ValidationException, as users report them;
 * the limits are those of the API reference.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const bedrockRules: readonly RequestRule[] = [
  {
    id: 'user-first',
    summary: 'A conversation starts with a user message.',
    find: (body) => {
      const [first] = listMessages(body).filter(({ role }) => role !== 'system')
      const message =
        'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
      return first?.['role'] === 'user' ? [] : refuse('/messages', message)
    },
  },
  {
    // https://github.com/langchain-ai/langchain-aws/issues/192
    id: 'turn-order',
    summary: 'Messages of the user and of the assistant alternate.',
    // A recorded request with a guardrail has two user messages in a row, and was answered.
    find: (body, context) => (body['guardrailConfig'] === undefined ? findRepeatedRoles(body, context) : []),
  },
  {
    id: 'one-member',
    summary: 'Content blocks and tools have one key each.',
    find: (body) => [
      ...eachBlock((block, path) => checkMembers(block, path))(body, { model: '' }),
      ...listTools(body).flatMap((tool, index) => checkMembers(tool, `/toolConfig/tools/${index}`)),
    ],
  },
  {
    id: 'content',
    summary: 'A message has content.',
    find: eachOf('messages', (message, index) =>
      listBlocks(message).length > 0
        ? []
        : refuse(
            `/messages/${index}/content`,
            `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`,
          ),
    ),
  },
  {
    // Blank text in a result is accepted: https://github.com/NousResearch/hermes-agent/issues/55092
    id: 'blank-text',
    summary: 'The text of a message is not blank.',
    find: eachBlock(({ text }, path) =>
      typeof text === 'string' && text.trim() === ''
        ? refuse(
            `${path}/text`,
            `The text field in the ContentBlock object at ${toPlace(path)} is blank. Add text to the text field, and try again.`,
          )
        : [],
    ),
  },
  {
    id: 'calls-have-results',
    summary: 'The message after calls has a result for each of them.',
    find: eachOf('messages', (message, index, messages) => {
      const missing = findMissing(listIds(listOwnUses(message)), listIds(listResults(messages[index + 1])))
      // The calls of the last message have no results: the model cannot continue it.
      return missing.length === 0
        ? []
        : refuse(
            `/messages/${index + 1}`,
            `Expected toolResult blocks at messages.${index + 1}.content for the following Ids: ${missing.join(', ')}`,
          )
    }),
  },
  {
    // https://github.com/strands-agents/harness-sdk/issues/1435
    id: 'results-have-calls',
    summary: 'A result answers a call of the message before it, and each call is answered once.',
    find: eachOf('messages', (message, index, messages) => {
      if (message['role'] !== 'user') return []
      const ids = listIds(listResults(message))
      const unexpected = findMissing(ids, listIds(listUses(messages[index - 1])))
      return unexpected.length === 0 && findRepeated(ids).length === 0
        ? []
        : refuse(
            `/messages/${index}/content`,
            `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`,
          )
    }),
  },
  {
    // https://github.com/vxcontrol/pentagi/issues/196
    id: 'tool-config',
    summary: 'A conversation with calls or results declares tools, and a list of tools is not empty.',
    find: (body) => {
      const { toolConfig } = body
      if (toolConfig !== undefined && listTools(body).length === 0)
        return refuse(
          '/toolConfig/tools',
          "1 validation error detected: Value at 'toolConfig.tools' failed to satisfy constraint: Member must have length greater than or equal to 1",
        )
      const hasCalls = listMessages(body).some(
        (message) => listUses(message).length + listResults(message).length > 0,
      )
      return hasCalls && toolConfig === undefined
        ? refuse(
            '/toolConfig',
            'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
          )
        : []
    },
  },
  {
    id: 'call-ids',
    summary: 'Call ids have at most 64 letters, digits, underscores and dashes; nine for models of Mistral.',
    find: (body, { model }) =>
      eachOf('messages', (message, index) =>
        listIds([...listUses(message), ...listResults(message)])
          .filter((id) => !isValidCallId(id, getCallIdRule({ model })))
          .flatMap((id) =>
            refuse(
              `/messages/${index}/content`,
              `1 validation error detected: Value '${id}' at 'messages.${index + 1}.member.content' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
            ),
          ),
      )(body, { model }),
  },
  {
    id: 'tool-names',
    summary: `Names of tools have at most ${toolNameRule.maxLength} letters, digits, underscores and dashes, and occur once.`,
    find: (body) => {
      const names = listTools(body)
        .filter(({ toolSpec }) => isObject(toolSpec))
        .map((tool) => getText(getObject(tool, 'toolSpec')['name']))
      const called = listMessages(body).flatMap((message) =>
        listUses(message).map(({ name }) => getText(name)),
      )
      return [
        ...[...names, ...called]
          .filter((name) => !isValidToolName(name, toolNameRule))
          .flatMap((name) =>
            refuse(
              '/toolConfig/tools',
              `1 validation error detected: Value '${name}' at 'toolConfig.tools' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
            ),
          ),
        ...findRepeated(names).flatMap((name) =>
          refuse('/toolConfig/tools', `The tool ${name} is already defined at toolConfig.tools.`),
        ),
      ]
    },
  },
  {
    id: 'tool-description',
    summary: 'The description of a tool is not empty.',
    find: (body) =>
      listTools(body).flatMap((tool, index) =>
        getObject(tool, 'toolSpec')['description'] === ''
          ? refuse(
              `/toolConfig/tools/${index}/toolSpec/description`,
              `1 validation error detected: Value '' at 'toolConfig.tools.${index + 1}.member.toolSpec.description' failed to satisfy constraint: Member must have length greater than or equal to 1`,
            )
          : [],
      ),
  },
  {
    // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html
    id: 'document-names',
    summary: 'Names of documents have the allowed characters and occur once.',
    find: (body) => {
      const names = listDocuments(body).map(({ name }) => getText(name))
      return [
        ...names
          // Recorded requests have underscores, although the documentation does not allow them.
          .filter((name) => !isValidDocumentName(name.replaceAll('_', '-')))
          .flatMap(() =>
            refuse(
              '/messages',
              'The file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can’t contain more than one consecutive whitespace character.',
            ),
          ),
        ...findRepeated(names).flatMap(() =>
          refuse('/messages', "Messages can't contain duplicate document names"),
        ),
      ]
    },
  },
  {
    id: 'document-text',
    summary: 'A message with a document has a text, too.',
    find: eachOf('messages', (message, index) => {
      const blocks = listBlocks(message)
      return blocks.some(({ document }) => document !== undefined) &&
        !blocks.some(({ text, guardContent }) => text !== undefined || guardContent !== undefined)
        ? refuse(
            `/messages/${index}/content`,
            'A text block is required in the content field when a document block is included.',
          )
        : []
    }),
  },
  {
    id: 'cache-points',
    summary: `A request has at most ${MAX_CACHE_POINTS} cache points.`,
    find: (body) => {
      const lists = [listTools(body), listObjects(body['system']), ...listMessages(body).map(listBlocks)]
      const count = lists.flat().filter(({ cachePoint }) => cachePoint !== undefined).length
      return count > MAX_CACHE_POINTS
        ? refuse(
            '',
            `The request contains ${count} cache points, which exceeds the maximum of ${MAX_CACHE_POINTS}.`,
          )
        : []
    },
  },
  {
    id: 'settings',
    summary: 'Temperature and top P are from 0 to 1.',
    find: (body) => [...checkRange(body, 'temperature', 1), ...checkRange(body, 'topP', 1)],
  },
]
