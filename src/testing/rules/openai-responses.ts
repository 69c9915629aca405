import { callIdRule, itemIdPrefixes, toolNameRule } from '../../dialects/openai-responses/constants.ts'
import { isValidToolName } from '../../dialects/shared/tool-names.ts'
import { createOpenAIToolRules, findTooLong } from './openai-tools.ts'
import {
  eachOf,
  findMissing,
  findRepeated,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type WireObject,
} from './request-rule.ts'

const listItems = (body: WireObject): readonly WireObject[] => listObjects(body['input'])

const CALL_TYPES: ReadonlySet<string> = new Set(['function_call', 'custom_tool_call'])
const OUTPUT_TYPES: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])

function listCallIds(body: WireObject, types: ReadonlySet<string>): readonly string[] {
  return listItems(body)
    .filter((item) => types.has(getText(item['type'])))
    .map((item) => getText(item['call_id']))
}

/** A request that continues a stored response contains only the new items. */
const isContinued = (body: WireObject): boolean =>
  typeof body['previous_response_id'] === 'string' || (body['conversation'] ?? undefined) !== undefined

const INPUT_ROLES: ReadonlySet<unknown> = new Set(['user', 'system', 'developer'])

/** What OpenAI's Responses API refuses beyond its schema. The texts are those of its server. */
export const openaiResponsesRules: readonly RequestRule[] = [
  {
    id: 'calls-have-results',
    summary: 'Every call has an output.',
    find: (body) =>
      findMissing(listCallIds(body, CALL_TYPES), listCallIds(body, OUTPUT_TYPES)).flatMap((id) =>
        refuse('/input', `No tool output found for function call ${id}.`),
      ),
  },
  {
    id: 'results-have-calls',
    summary: 'Every output belongs to an earlier call.',
    find: (body) => {
      if (isContinued(body)) return []
      const calls = new Set<string>()
      return listItems(body).flatMap((item, index) => {
        const id = getText(item['call_id'])
        if (CALL_TYPES.has(getText(item['type']))) calls.add(id)
        return OUTPUT_TYPES.has(getText(item['type'])) && !calls.has(id)
          ? refuse(`/input/${index}`, `No tool call found for function call output with call_id ${id}.`)
          : []
      })
    },
  },
  {
    id: 'unique-call-ids',
    summary: 'No two calls have the same id, and a call has one output.',
    find: (body) =>
      [CALL_TYPES, OUTPUT_TYPES].flatMap((types) =>
        findRepeated(listCallIds(body, types)).flatMap((id) =>
          refuse(
            '/input',
            `Duplicate item found with call_id ${id}. Remove duplicate items from your input and try again.`,
          ),
        ),
      ),
  },
  {
    id: 'call-id-length',
    summary: `Call ids have at most ${callIdRule.maxLength} characters.`,
    find: eachOf('input', (item, index) =>
      findTooLong(
        getText(item['call_id']),
        `input[${index}].call_id`,
        `/input/${index}/call_id`,
        callIdRule.maxLength,
      ),
    ),
  },
  {
    id: 'reasoning-has-follower',
    summary: 'An item that the model wrote follows a reasoning item.',
    find: eachOf('input', (item, index, items) => {
      if (item['type'] !== 'reasoning') return []
      const next = items[index + 1]
      return next !== undefined && !INPUT_ROLES.has(next['role'])
        ? []
        : refuse(
            `/input/${index}`,
            `Item '${getText(item['id'])}' of type 'reasoning' was provided without its required following item.`,
          )
    }),
  },
  {
    id: 'item-id-prefixes',
    summary: 'The id of an item starts with the prefix of its type.',
    find: eachOf('input', ({ type, id }, index) => {
      const prefix = itemIdPrefixes.get(type)?.replace('_', '')
      return typeof id !== 'string' || prefix === undefined || id.startsWith(prefix)
        ? []
        : refuse(
            `/input/${index}/id`,
            `Invalid 'input[${index}].id': '${id}'. Expected an ID that begins with '${prefix}'.`,
            'invalid_value',
          )
    }),
  },
  {
    id: 'call-names',
    summary: 'The names of called functions consist of letters, digits, `_` and `-`.',
    find: eachOf('input', ({ type, name }, index) =>
      type !== 'function_call' || isValidToolName(getText(name), toolNameRule)
        ? []
        : refuse(
            `/input/${index}/name`,
            `Invalid 'input[${index}].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
            'invalid_value',
          ),
    ),
  },
  ...createOpenAIToolRules(toolNameRule, ['tool_choice']),
]
