/** The types of JSON values, in the order in which alternatives are written. */
export const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const

export type TypeName = (typeof TYPES)[number]

/** Where a schema may go. */
export type SchemaTarget =
  | 'openai-strict'
  | 'anthropic-strict'
  | 'gemini-openapi'
  | 'gemini-json-schema'
  | 'ollama'
  | 'ollama-tools'
  | 'plain'

/** What a strict schema may measure. */
export interface SchemaLimits {
  /** Objects and lists inside each other. */
  readonly depth: number
  readonly properties: number
  readonly enumValues: number
  /** Characters of all names of properties and definitions, and of all listed values. */
  readonly characters: number
  /** Characters of the text in one list of more than {@link longEnum} values. */
  readonly enumCharacters: number
  readonly longEnum: number
}

/** One provider's subset of JSON Schema. */
export interface Subset {
  /** Keywords that are taken as they are: bounds, patterns, annotations. */
  readonly keeps: ReadonlySet<string>
  /** The formats that are taken; all of them where this is not said. */
  readonly formats?: ReadonlySet<string>
  /** Objects are closed, every value has a type, and what cannot be said so is not strict. */
  readonly strict?: true
  /** Keywords need the type that they belong to. */
  readonly typed?: true
  /** How a property that may be absent is said: it is not required, or it may be null. */
  readonly optional: 'absent' | 'null'
  /** Whether a null is a type, or a flag beside one. */
  readonly nulls: 'type' | 'flag'
  /** Which lists of types are taken: those of plain values, only one and null, or none. */
  readonly typeLists: 'plain' | 'nullable' | 'none'
  readonly upperCase?: true
  /**
   * References: all of them; all but those that lead to themselves; where they lead to themselves, only below optional
   * properties; only those that lead to themselves (others are written out); none.
   */
  readonly refs: 'all' | 'acyclic' | 'optional-cycles' | 'cycles' | 'none'
  /** The types whose values may be listed; numbers may have to be text. */
  readonly enums: ReadonlySet<TypeName>
  readonly numbersAsText?: true
  /** Whether `const` is known; if not, it is an `enum` of one. */
  readonly constants: boolean
  /** Whether undeclared properties can be spoken of. */
  readonly additionalProperties: boolean
  /** Whether the places of a list can be told apart. */
  readonly prefixItems: boolean
  /** A list must say what is in it. */
  readonly itemsNeeded?: true
  /** Only declared properties may be required. */
  readonly requiredDeclared?: true
  /** The largest `minItems`. */
  readonly minItems?: number
  /** Bounds are for whole numbers only. */
  readonly integerBounds?: true
  /** A pattern must span the whole text. */
  readonly anchoredPatterns?: true
  readonly root?: 'object'
  readonly limits?: SchemaLimits
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

function types(text: string): ReadonlySet<TypeName> {
  return new Set(TYPES.filter((type) => words(text).has(type)))
}

const ANY_TYPE = types(TYPES.join(' '))
const PLAIN_VALUES = types('string number integer boolean')

/** The subsets, one row each. `plain` has none: what is not strict goes out as it is. */
export const subsets: { readonly [target in Exclude<SchemaTarget, 'plain'>]: Subset } = {
  'openai-strict': {
    keeps: words(
      'title description pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems',
    ),
    formats: words('date-time time date duration email hostname ipv4 ipv6 uuid'),
    strict: true,
    typed: true,
    optional: 'null',
    nulls: 'type',
    typeLists: 'plain',
    refs: 'all',
    enums: PLAIN_VALUES,
    constants: true,
    additionalProperties: false,
    prefixItems: false,
    itemsNeeded: true,
    requiredDeclared: true,
    root: 'object',
    limits: {
      depth: 10,
      properties: 5000,
      enumValues: 1000,
      characters: 120_000,
      enumCharacters: 15_000,
      longEnum: 250,
    },
  },
  'anthropic-strict': {
    keeps: words('title description format minItems'),
    formats: words('date-time time date duration email hostname uri ipv4 ipv6 uuid'),
    strict: true,
    typed: true,
    optional: 'absent',
    nulls: 'type',
    typeLists: 'plain',
    refs: 'acyclic',
    enums: PLAIN_VALUES,
    constants: true,
    additionalProperties: false,
    prefixItems: false,
    itemsNeeded: true,
    requiredDeclared: true,
    minItems: 1,
  },
  'gemini-openapi': {
    keeps: words(
      'title description default example nullable format pattern propertyOrdering minimum maximum minLength maxLength ' +
        'minItems maxItems minProperties maxProperties',
    ),
    formats: words('date-time enum int32 int64 float double'),
    typed: true,
    optional: 'absent',
    nulls: 'flag',
    typeLists: 'none',
    upperCase: true,
    refs: 'none',
    enums: types('string number integer'),
    numbersAsText: true,
    constants: false,
    additionalProperties: false,
    prefixItems: false,
    itemsNeeded: true,
    requiredDeclared: true,
  },
  'gemini-json-schema': {
    keeps: words('title description format propertyOrdering minimum maximum minItems maxItems'),
    optional: 'absent',
    nulls: 'type',
    typeLists: 'nullable',
    refs: 'optional-cycles',
    enums: types('string number integer'),
    constants: false,
    additionalProperties: true,
    prefixItems: true,
  },
  // What the server turns into a grammar; the rest it would skip in silence.
  ollama: {
    keeps: words(
      'title description default examples pattern format minLength maxLength minItems maxItems minimum maximum ' +
        'exclusiveMinimum exclusiveMaximum',
    ),
    formats: words('date time date-time uuid'),
    optional: 'absent',
    nulls: 'type',
    typeLists: 'plain',
    refs: 'cycles',
    enums: ANY_TYPE,
    constants: true,
    additionalProperties: true,
    prefixItems: false,
    integerBounds: true,
    anchoredPatterns: true,
  },
  // What the server hands on to the model; the rest it would skip in silence.
  'ollama-tools': {
    keeps: words('description'),
    formats: new Set(),
    optional: 'absent',
    nulls: 'type',
    typeLists: 'plain',
    refs: 'none',
    enums: ANY_TYPE,
    constants: false,
    additionalProperties: false,
    prefixItems: false,
  },
}
