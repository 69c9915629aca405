import {
  type ChatRequest,
  type DialectName,
  dialects,
  type FunctionTool,
  type JsonSchema,
  type Loss,
  user,
} from 'interlingua'
import type { SchemaTarget } from 'interlingua/schema'
import type { Checked } from '../../schema/subset-checkers.ts'

/** One schema of a body, with the fields around it. */
export interface Sent {
  readonly schema: unknown
  readonly strict: unknown
}

type Body = { readonly [key: string]: unknown }

/** The location of schemas in the bodies of a dialect, and the subset that applies. */
interface Place {
  readonly find: (body: Body) => Body | undefined
  /** The key of the schema in the object at that location. */
  readonly key: string
  /** The subset of strict schemas, or of all schemas if there is no `strict` field. */
  readonly subset: Checked
  /** True if a request states whether a schema is strict; otherwise every schema is in the subset. */
  readonly chooses?: true
  /** The target of schemas that are not strict; default: they are sent unchanged. */
  readonly plainTarget?: SchemaTarget
}

/** Returns the value at a path of keys; undefined if none exists. */
function dig(value: unknown, ...keys: readonly (string | number)[]): Body | undefined {
  return keys.reduce<unknown>((at, key) => (Object(at) as Body)[key], value) as Body | undefined
}

/** The places of a tool and of an output format. */
interface Places {
  readonly tool: Place
  readonly output: Place
}

/** Mistral has the fields of OpenAI. */
const chatPlaces: Places = {
  tool: {
    find: (body) => dig(body, 'tools', 0, 'function'),
    key: 'parameters',
    subset: 'openai-strict',
    chooses: true,
    plainTarget: 'openai-tools',
  },
  output: {
    find: (body) => dig(body, 'response_format', 'json_schema'),
    key: 'schema',
    subset: 'openai-strict',
    chooses: true,
  },
}

export const places: { readonly [name in DialectName]: Places } = {
  'openai-chat': chatPlaces,
  'openai-responses': {
    tool: {
      find: (body) => dig(body, 'tools', 0),
      key: 'parameters',
      subset: 'openai-strict',
      chooses: true,
      plainTarget: 'openai-tools',
    },
    output: {
      find: (body) => dig(body, 'text', 'format'),
      key: 'schema',
      subset: 'openai-strict',
      chooses: true,
    },
  },
  anthropic: {
    tool: {
      find: (body) => dig(body, 'tools', 0),
      key: 'input_schema',
      subset: 'anthropic-strict',
      chooses: true,
      plainTarget: 'anthropic-tools',
    },
    output: {
      find: (body) => dig(body, 'output_config', 'format'),
      key: 'schema',
      subset: 'anthropic-strict',
    },
  },
  gemini: {
    tool: {
      find: (body) => dig(body, 'tools', 0, 'functionDeclarations', 0),
      key: 'parametersJsonSchema',
      subset: 'gemini-json-schema',
    },
    output: {
      find: (body) => dig(body, 'generationConfig'),
      key: 'responseJsonSchema',
      subset: 'gemini-json-schema',
    },
  },
  ollama: {
    tool: {
      find: (body) => dig(body, 'tools', 0, 'function'),
      key: 'parameters',
      subset: 'ollama-tools',
    },
    output: { find: (body) => body, key: 'format', subset: 'ollama' },
  },
  mistral: chatPlaces,
  'gemini-interactions': {
    tool: { find: (body) => dig(body, 'tools', 0), key: 'parameters', subset: 'gemini-json-schema' },
    output: { find: (body) => dig(body, 'response_format'), key: 'schema', subset: 'gemini-json-schema' },
  },
  bedrock: {
    tool: {
      find: (body) => {
        const tool = dig(body, 'toolConfig', 'tools', 0, 'toolSpec')
        const input = dig(tool, 'inputSchema')
        return tool && input && joinFields({ strict: tool, json: input })
      },
      key: 'json',
      subset: 'anthropic-strict',
      chooses: true,
      plainTarget: 'anthropic-tools',
    },
    output: {
      find: (body) => {
        const format = dig(body, 'outputConfig', 'textFormat', 'structure', 'jsonSchema')
        return format && parseField(format, 'schema')
      },
      key: 'schema',
      subset: 'anthropic-strict',
    },
  },
  cohere: {
    tool: { find: joinStrictTools, key: 'parameters', subset: 'cohere', chooses: true },
    output: { find: (body) => dig(body, 'response_format'), key: 'json_schema', subset: 'cohere' },
  },
}

/** Returns the function of a tool with the `strict_tools` of its body as a field, which also changes with it. */
function joinStrictTools(body: Body): Body | undefined {
  const made = dig(body, 'tools', 0, 'function')
  return (
    made &&
    Object.defineProperty(joinFields({ parameters: made }), 'strict', {
      get: () => body['strict_tools'] ?? false,
      set: (value: unknown) => {
        Object.assign(body, { strict_tools: value })
      },
    })
  )
}

/** Returns an object whose fields are those of other objects, which also change with it. */
function joinFields(owners: { readonly [key: string]: Body }): Body {
  const joined: Body = {}
  for (const [key, owner] of Object.entries(owners))
    Object.defineProperty(joined, key, {
      enumerable: true,
      get: () => owner[key],
      set: (value: unknown) => {
        Object.assign(owner, { [key]: value })
      },
    })
  return joined
}

/** Returns an object whose field is the JSON value of a text, which also changes with it. */
function parseField(owner: Body, key: string): Body {
  const parsed: Body = {}
  return Object.defineProperty(parsed, key, {
    enumerable: true,
    get: () => JSON.parse(String(owner[key])) as unknown,
    set: (value: unknown) => {
      Object.assign(owner, { [key]: JSON.stringify(value) })
    },
  })
}

export const names: readonly DialectName[] = Object.keys(places) as DialectName[]

/** Creates a request with a schema in one of the two locations. */
export function asking(kind: 'tool' | 'output', schema: JsonSchema, strict?: boolean): ChatRequest {
  const strictFields = strict === undefined ? {} : { strict }
  const tool: FunctionTool = { type: 'function', name: 'book', input: schema, ...strictFields }
  const base = { model: 'm', maxOutputTokens: 99, stream: false, messages: [user('Hi')] } as const
  return kind === 'tool'
    ? { ...base, tools: [tool] }
    : { ...base, output: { type: 'json', name: 'answer', schema, ...strictFields } }
}

/** Encodes a request with a schema, and returns the losses about that schema. */
export function sent(
  name: DialectName,
  kind: 'tool' | 'output',
  request: ChatRequest,
): Sent & { readonly losses: readonly Loss[]; readonly found: boolean } {
  const { value, losses } = dialects[name].encodeRequest(request)
  const { find, key } = places[name][kind]
  const found = find(value)
  return {
    schema: found?.[key],
    strict: found?.['strict'],
    found: found?.[key] !== undefined,
    losses: losses.filter(({ path }) => /^\/(tools\/0|output)(\/|$)/.test(path)),
  }
}
