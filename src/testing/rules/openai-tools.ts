import { openaiLabelRule, openaiUserIdRule } from '../../dialects/shared/openai-common.ts'
import type { ToolNameRule } from '../../dialects/shared/tool-names.ts'
import { isObject } from '../../wire/json.ts'
import {
  getObject,
  getText,
  listObjects,
  refuse,
  type RequestRule,
  type Violation,
  type WireObject,
} from './request-rule.ts'

/** The fields of a function or custom tool: Chat nests them by type, Responses does not. */
function getToolFields(tool: WireObject): WireObject {
  const type = getText(tool['type'])
  return isObject(tool[type]) ? getObject(tool, type) : tool
}

/** Returns true if a request declares tools, in its list or in an item of the input. */
function hasTools(body: WireObject): boolean {
  const isDeclared = ({ type }: WireObject): boolean => type === 'additional_tools'
  return listObjects(body['tools']).length > 0 || listObjects(body['input']).some(isDeclared)
}

/** Creates the rules that both OpenAI APIs have for tools; they differ in the length of names. */
export function createOpenAIToolRules(
  { maxLength: maxNameLength }: ToolNameRule,
  settingsOfTools: readonly string[],
): readonly RequestRule[] {
  return [
    {
      id: 'tool-names',
      summary: `Tool names consist of up to ${maxNameLength} letters, digits, \`_\` and \`-\`.`,
      find: (body) =>
        listObjects(body['tools']).flatMap((tool, index) => {
          const { name } = getToolFields(tool)
          const place =
            tool['function'] === undefined ? `tools[${index}].name` : `tools[${index}].function.name`
          return typeof name === 'string' && ['function', 'custom'].includes(getText(tool['type']))
            ? [
                ...findNameProblems(
                  name,
                  place,
                  `/${place.replaceAll(/[.[]/g, '/').replaceAll(']', '')}`,
                  maxNameLength,
                ),
              ]
            : []
        }),
    },
    {
      id: 'tool-choice-needs-tools',
      summary: `Tools are needed for: ${settingsOfTools.join(', ')}.`,
      find: (body) =>
        settingsOfTools.flatMap((key) =>
          (body[key] ?? undefined) === undefined || hasTools(body)
            ? []
            : refuse(
                `/${key}`,
                `Invalid value for '${key}': '${key}' is only allowed when 'tools' are specified.`,
              ),
        ),
    },
    {
      id: 'function-schemas',
      summary: 'The schema of a function is an object with properties; its lists have items.',
      find: (body) =>
        listObjects(body['tools']).flatMap((tool, index) => {
          const { name, parameters } = getToolFields(tool)
          if (tool['type'] !== 'function' || !isObject(parameters)) return []
          const fault = findSchemaFault(parameters)
          return fault === undefined
            ? []
            : refuse(
                `/tools/${index}`,
                `Invalid schema for function '${getText(name)}': ${fault}`,
                'invalid_function_parameters',
              )
        }),
    },
    {
      id: 'user-id-length',
      summary: `The ids of users have at most ${openaiUserIdRule.maxLength} characters.`,
      find: (body) =>
        ['user', 'safety_identifier', 'prompt_cache_key'].flatMap((key) =>
          findTooLong(getText(body[key]), key, `/${key}`, openaiUserIdRule.maxLength),
        ),
    },
    {
      id: 'metadata-limits',
      summary: `Metadata has at most ${openaiLabelRule.maxCount} entries, keys of ${openaiLabelRule.maxKeyLength} and values of ${openaiLabelRule.maxValueLength} characters.`,
      find: findMetadataProblems,
    },
  ]
}

/** Source of the texts: thiswillbeyourgithub/openwebui_custom_pipes_filters#3, spiceai/docs#928. */
function* findMetadataProblems(body: WireObject): Iterable<Violation> {
  const entries = Object.entries(getObject(body, 'metadata'))
  if (entries.length > openaiLabelRule.maxCount)
    yield* refuse(
      '/metadata',
      `Invalid 'metadata': too many properties. Expected an object with at most ${openaiLabelRule.maxCount} properties, but got an object with ${entries.length} properties instead.`,
      'object_above_max_properties',
    )
  for (const [key, value] of entries) {
    yield* findTooLong(key, 'metadata', '/metadata', openaiLabelRule.maxKeyLength)
    yield* findTooLong(getText(value), `metadata.${key}`, `/metadata/${key}`, openaiLabelRule.maxValueLength)
  }
}

/** Returns the problem of a text that is too long. */
export function findTooLong(
  text: string,
  place: string,
  path: string,
  maxLength: number,
): readonly Violation[] {
  return text.length <= maxLength
    ? []
    : refuse(
        path,
        `Invalid '${place}': string too long. Expected a string with maximum length ${maxLength}, but got a string with length ${text.length} instead.`,
        'string_above_max_length',
      )
}

function* findNameProblems(
  name: string,
  place: string,
  path: string,
  maxLength: number,
): Iterable<Violation> {
  yield* findTooLong(name, place, path, maxLength)
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    yield {
      path,
      message: `Invalid '${place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      code: 'invalid_value',
    }
}

const ROOT_KEYS = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'] as const

/** Returns what OpenAI refuses in the schema of a function, strict or not. */
function findSchemaFault(schema: WireObject): string | undefined {
  if (schema['type'] !== undefined && schema['type'] !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${getText(schema['type'])}"'.`
  if (ROOT_KEYS.some((key) => key in schema))
    return `schema must have type 'object' and not have ${ROOT_KEYS.map((key) => `'${key}'`).join('/')} at the top level.`
  return findNestedFault(schema, [])
}

/** Finds an object without properties at the root, or a list without items anywhere. */
function findNestedFault(schema: WireObject, context: readonly string[]): string | undefined {
  const place = `In context=(${context.map((key) => `'${key}'`).join(', ')}${context.length === 1 ? ',' : ''})`
  if (context.length === 0 && schema['type'] === 'object' && schema['properties'] === undefined)
    return `${place}, object schema missing properties.`
  if (schema['type'] === 'array' && schema['items'] === undefined && schema['prefixItems'] === undefined)
    return `${place}, array schema missing items.`
  const below: readonly (readonly [WireObject, readonly string[]])[] = [
    ...Object.entries(getObject(schema, 'properties')).map(
      ([key, value]) => [isObject(value) ? (value as WireObject) : {}, ['properties', key]] as const,
    ),
    ...(isObject(schema['items']) ? [[schema['items'] as WireObject, ['items']] as const] : []),
    ...listObjects(schema['anyOf']).map((each, index) => [each, ['anyOf', String(index)]] as const),
  ]
  for (const [child, keys] of below) {
    const fault = findNestedFault(child, [...context, ...keys])
    if (fault !== undefined) return fault
  }
  return undefined
}
