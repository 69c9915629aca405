import { MAX_CACHE_MARKERS, toolNameRule, userIdRule } from '../../dialects/anthropic/constants.ts'
import { claudePropertyKeyRule } from '../../dialects/shared/claude-tools.ts'
import { isValidToolName } from '../../dialects/shared/tool-names.ts'
import { isObject } from '../../wire/json.ts'
import {
  findRepeated,
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type WireObject,
} from './request-rule.ts'

/** The patterns in the texts of the server. */
const TOOL_NAME_PATTERN = `^[a-zA-Z0-9_-]{1,${toolNameRule.maxLength}}$`
const PROPERTY_PATTERN = `^[a-zA-Z0-9_.-]{1,${claudePropertyKeyRule.maxLength}}$`

const toolSchemas = (body: WireObject): readonly (readonly [schema: WireObject, index: number])[] =>
  listObjects(body['tools']).flatMap((tool, index) =>
    isObject(tool['input_schema']) ? [[tool['input_schema'] as WireObject, index] as const] : [],
  )

/** Returns true if a message defines a tool, which beta requests can do after the start of a conversation. */
const addsTools = (body: WireObject): boolean =>
  listObjects(body['messages'])
    .flatMap(({ content }) => listObjects(content))
    .some(
      (block) => block['type'] === 'tool_addition' && getObject(block, 'tool')['type'] === 'tool_definition',
    )

/** What Anthropic refuses in tools and settings beyond its schema. The texts are those of its server. */
export const anthropicSettingRules: readonly RequestRule[] = [
  {
    id: 'cache-markers',
    summary: `At most ${MAX_CACHE_MARKERS} blocks have a cache marker.`,
    find: (body) => {
      const count = JSON.stringify(body).split('"cache_control":{').length - 1
      if (count <= MAX_CACHE_MARKERS) return []
      const message = `A maximum of ${MAX_CACHE_MARKERS} blocks with cache_control may be provided. Found ${count}.`
      return refuse('', message)
    },
  },
  {
    id: 'thinking-budget',
    summary: 'A thinking budget has at least 1,024 tokens and fewer than `max_tokens`.',
    find: (body) => {
      const path = '/thinking/budget_tokens'
      const { budget_tokens: budget } = getObject(body, 'thinking')
      if (typeof budget !== 'number') return []
      if (budget < 1024)
        return refuse(path, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024')
      return budget < Number(body['max_tokens'])
        ? []
        : refuse(path, '`max_tokens` must be greater than `thinking.budget_tokens`.')
    },
  },
  {
    id: 'thinking-without-forced-tools',
    summary: 'With a thinking budget, no tool call is forced.',
    find: (body) =>
      getObject(body, 'thinking')['type'] === 'enabled' &&
      ['any', 'tool'].includes(getText(getObject(body, 'tool_choice')['type']))
        ? refuse('/tool_choice', 'Thinking may not be enabled when tool_choice forces tool use.')
        : [],
  },
  {
    id: 'tool-choice-needs-tools',
    summary: 'A tool choice needs tools.',
    find: (body) =>
      'tool_choice' in body && listObjects(body['tools']).length === 0 && !addsTools(body)
        ? refuse('/tool_choice', 'tool_choice: tool_choice may only be specified while providing tools.')
        : [],
  },
  {
    id: 'unique-tool-names',
    summary: 'No two tools have the same name.',
    find: (body) =>
      findRepeated(listObjects(body['tools']).map((tool) => getText(tool['name']))).map(() => ({
        path: '/tools',
        message: 'tools: Tool names must be unique.',
      })),
  },
  {
    id: 'tool-names',
    summary: `Tool names consist of up to ${toolNameRule.maxLength} letters, digits, \`_\` and \`-\`.`,
    find: (body) =>
      listObjects(body['tools']).flatMap(({ name, type = 'custom' }, index) =>
        type !== 'custom' || isValidToolName(getText(name), toolNameRule)
          ? []
          : refuse(
              `/tools/${index}/name`,
              `tools.${index}.custom.name: String should match pattern '${TOOL_NAME_PATTERN}'`,
            ),
      ),
  },
  {
    id: 'schema-without-root-union',
    summary: 'The schema of a tool is an object, not a union.',
    find: (body) =>
      toolSchemas(body).flatMap(([schema, index]) =>
        ['anyOf', 'oneOf', 'allOf'].some((key) => key in schema)
          ? refuse(
              `/tools/${index}/input_schema`,
              `tools.${index}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
            )
          : [],
      ),
  },
  {
    id: 'schema-property-names',
    summary: `Properties of tool schemas have up to ${claudePropertyKeyRule.maxLength} letters, digits, \`_\`, \`.\` and \`-\`.`,
    find: (body) =>
      toolSchemas(body).flatMap(([schema, index]) =>
        Object.keys(getObject(schema, 'properties')).every((key) =>
          isValidToolName(key, claudePropertyKeyRule),
        )
          ? []
          : refuse(
              `/tools/${index}/input_schema/properties`,
              `tools.${index}.custom.input_schema.properties: Property keys should match pattern '${PROPERTY_PATTERN}'`,
            ),
      ),
  },
  {
    id: 'user-id',
    summary: `A user id has at most ${userIdRule.maxLength} characters and is not an e-mail address.`,
    find: (body) => {
      const path = '/metadata/user_id'
      const id = getText(getObject(body, 'metadata')['user_id'])
      if (id.length > userIdRule.maxLength)
        return refuse(path, `metadata.user_id: String should have at most ${userIdRule.maxLength} characters`)
      return userIdRule.refused?.test(id)
        ? refuse(path, 'metadata.user_id: user_id appears to contain an email address')
        : []
    },
  },
]
