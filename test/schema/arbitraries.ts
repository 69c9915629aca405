import fc from 'fast-check'
import type { Json, JsonObject, JsonSchema } from 'interlingua'

/** Names that schemas declare, and names that no schema declares. */
const DECLARED = ['name', 'kind', 'next', 'kids', 'a b', 'constructor']
const UNDECLARED: readonly string[] = ['x-one', 'x-two']

/** Formats and patterns with texts that match them. */
const FORMATS: { readonly [format: string]: readonly string[] } = {
  'date-time': ['2026-11-15T06:00:00Z'],
  date: ['2026-11-15'],
  email: ['ada@example.com'],
  uuid: ['6d9d8c8e-6d0f-4c4a-9d35-0a4c5a0e9b11'],
  uri: ['https://example.com/'],
  ipv4: ['127.0.0.1'],
}
const PATTERNS: { readonly [pattern: string]: readonly string[] } = {
  '^[a-z]{2,3}$': ['ab', 'xyz'],
  '[0-9]': ['a1', '2'],
}

const annotations = fc.record(
  {
    title: fc.constant('T'),
    description: fc.constant('What it is'),
    default: fc.constant(null),
    examples: fc.constant(['e']),
  },
  { requiredKeys: [] },
)

const small = fc.integer({ min: 0, max: 4 })
const pair = fc.tuple(small, small).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])

const text = fc.oneof(
  fc.constant({ type: 'string' }),
  pair.map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
  fc.constantFrom(...Object.keys(FORMATS)).map((format) => ({ type: 'string', format })),
  fc.constantFrom(...Object.keys(PATTERNS)).map((pattern) => ({ type: 'string', pattern })),
)

const number = fc.oneof(
  fc.constantFrom('number', 'integer').map((type) => ({ type })),
  fc
    .tuple(fc.constantFrom('number', 'integer'), pair)
    .map(([type, [minimum, maximum]]) => ({ type, minimum: -minimum, maximum })),
  fc
    .tuple(fc.constantFrom('number', 'integer'), small)
    .map(([type, exclusiveMinimum]) => ({ type, exclusiveMinimum, exclusiveMaximum: exclusiveMinimum + 5 })),
  fc.constant({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  fc.constant({ type: 'integer', multipleOf: 3 }),
)

const listed = fc.oneof(
  fc.constantFrom('red', 7, 1.5, true, null).map((value) => ({ const: value })),
  fc.constantFrom(
    { type: 'string', const: 'red' },
    { enum: ['red', 'green'] },
    { type: 'integer', enum: [1, 2] },
  ),
  fc.constantFrom(
    { enum: ['red', 1, null, true] },
    { enum: [{ deep: [1] }, 'red'] },
    { type: ['string', 'null'], enum: ['red', null] },
  ),
)

const scalar = fc.oneof(
  text,
  number,
  listed,
  fc.constantFrom(
    { type: 'boolean' },
    { type: 'null' },
    { type: ['string', 'null'] },
    { type: ['integer', 'string', 'boolean'] },
  ),
  fc.constantFrom(
    {},
    true,
    { not: { type: 'null' } },
    { type: ['string', 'array'], minLength: 1, items: { type: 'string' } },
  ),
)

/** Adds references only where they point to a nested value: validators reject others. */
const ref = fc
  .tuple(fc.constantFrom('#/$defs/A', '#/$defs/B', '#'), fc.boolean())
  .map(([$ref, hasDescription]) => ({
    $ref,
    ...(hasDescription && { description: 'Another one' }),
  }))

type Part = JsonSchema | boolean

const { container, part } = fc.letrec<{ container: JsonSchema; part: Part }>((tie) => ({
  container: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarObject(),
    objectOf(tie('part')),
    arrayOf(tie('part')),
  ),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: withRemarks(scalar), weight: 4 },
    { arbitrary: ref, weight: 2 },
    { arbitrary: objectOf(tie('part')), weight: 3 },
    { arbitrary: arrayOf(tie('part')), weight: 2 },
    { arbitrary: unionOf(tie('part')), weight: 2 },
    { arbitrary: allOf(tie('part')), weight: 1 },
  ),
}))

function withRemarks(schema: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  return fc
    .tuple(schema, annotations)
    .map(([own, remarks]) => (typeof own === 'boolean' ? own : { ...own, ...remarks }))
}

function scalarObject(): fc.Arbitrary<JsonSchema> {
  return objectOf(withRemarks(scalar))
}

function objectOf(item: fc.Arbitrary<Part>): fc.Arbitrary<JsonSchema> {
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom(...DECLARED), item, { maxKeys: 3, noNullPrototype: true }),
      fc.subarray(DECLARED),
      fc.oneof(
        { arbitrary: fc.constantFrom('unsaid', false), weight: 4 },
        fc.constant(true),
        withRemarks(scalar),
      ),
      fc.constantFrom(
        {},
        {},
        {},
        { minProperties: 1 },
        { propertyNames: { type: 'string' } },
        { patternProperties: { '^p-': { type: 'number' } } },
      ),
      fc.boolean(),
    )
    .map(([properties, required, others, odd, typed]) => ({
      ...(typed || Object.keys(properties).length === 0 ? { type: 'object' } : { type: ['object', 'null'] }),
      properties,
      ...(required.length > 0 && { required: required.filter((name) => Object.hasOwn(properties, name)) }),
      ...(others !== 'unsaid' && { additionalProperties: others }),
      ...odd,
    }))
}

function arrayOf(item: fc.Arbitrary<Part>): fc.Arbitrary<JsonSchema> {
  const list = fc
    .tuple(item, fc.constantFrom({}, { minItems: 1 }, { minItems: 2, maxItems: 3 }, { uniqueItems: true }))
    .map(([items, bounds]) => ({ type: 'array', items, ...bounds }))
  const tuple = fc
    .tuple(fc.array(item, { minLength: 1, maxLength: 2 }), fc.oneof(fc.constant(false), item))
    .map(([prefixItems, items]) => ({ type: 'array', prefixItems, items }))
  return fc.oneof({ arbitrary: list, weight: 3 }, tuple)
}

function unionOf(item: fc.Arbitrary<Part>): fc.Arbitrary<JsonSchema> {
  const branches = fc.array(item, { minLength: 1, maxLength: 3 })
  const free = fc.tuple(fc.constantFrom('anyOf', 'oneOf'), branches).map(([word, list]) => ({ [word]: list }))
  const beside = fc
    .tuple(objectOf(item), fc.array(objectOf(item), { minLength: 2, maxLength: 2 }))
    .map(([base, anyOf]) => ({ ...base, anyOf }))
  return fc.oneof({ arbitrary: free, weight: 3 }, beside)
}

function allOf(item: fc.Arbitrary<Part>): fc.Arbitrary<JsonSchema> {
  const objects = fc.tuple(objectOf(item), fc.oneof(objectOf(item), ref))
  const bounds = fc.constant([
    { type: 'number', minimum: 1 },
    { type: 'integer', maximum: 9, minimum: 0 },
  ])
  return fc.oneof(objects, bounds).map((list) => ({ allOf: list }))
}

/** A schema with two definitions that may refer to each other, to themselves and to the root. */
export const schemas: fc.Arbitrary<JsonSchema> = fc
  .tuple(fc.oneof({ arbitrary: container, weight: 3 }, part), container, container)
  .map(([root, A, B]) => ({ ...(typeof root === 'boolean' ? {} : root), $defs: { A, B } }))
  .filter((root) => !leadsAt(root, '#'))

/** Returns true if a schema refers to another schema for the same value. */
function leadsAt(schema: unknown, $ref: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const words = schema as { readonly [keyword: string]: unknown }
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => (words[word] ?? []) as readonly unknown[])
  return words['$ref'] === $ref || parts.some((part) => leadsAt(part, $ref))
}

const anything: fc.Arbitrary<Json> = fc.constantFrom<Json>('red', 3, true, null, ['s'], { name: 'n' })

/** A value that a schema is likely to accept; a validator decides. */
export function instanceOf(schema: unknown, root: JsonSchema, depth = 0): fc.Arbitrary<Json> {
  if (typeof schema !== 'object' || schema === null) return anything
  if (depth > 8) return fc.constant('endless')
  const { $ref, anyOf, oneOf, allOf: all, ...own } = schema as { readonly [keyword: string]: unknown }
  if (typeof $ref === 'string') return instanceOf(target($ref, root), root, depth + 1)
  const union = (anyOf ?? oneOf) as readonly unknown[] | undefined
  if (union !== undefined || all !== undefined) {
    const parts = [
      ...(Object.keys(own).some((key) => key !== '$defs') ? [own] : []),
      ...((all ?? []) as readonly unknown[]),
    ]
    const chosen = union === undefined ? fc.constant([]) : fc.constantFrom(...union).map((one) => [one])
    return chosen.chain((one) =>
      fc.tuple(...[...parts, ...one].map((each) => instanceOf(each, root, depth + 1))).map(together),
    )
  }
  if ('const' in own) return fc.constant(own['const'] as Json)
  if (Array.isArray(own['enum'])) return fc.constantFrom(...(own['enum'] as Json[]))
  const types = [own['type'] ?? []].flat() as string[]
  if (types.length === 0) return anything
  return fc.constantFrom(...types).chain((type) => valueOf(type, own, root, depth))
}

function target($ref: string, root: JsonSchema): unknown {
  return $ref === '#' ? root : (root['$defs'] as JsonObject)[$ref.slice('#/$defs/'.length)]
}

/** Merges objects that must all hold. */
function together(values: readonly Json[]): Json {
  const isMap = (value: Json): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  return values.length > 1 && values.every(isMap) ? Object.assign({}, ...values) : (values.at(-1) ?? null)
}

type Words = { readonly [keyword: string]: unknown }

function valueOf(type: string, own: Words, root: JsonSchema, depth: number): fc.Arbitrary<Json> {
  switch (type) {
    case 'string':
      return textOf(own)
    case 'integer':
    case 'number':
      return numberOf(type, own)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return listOf(own, root, depth)
    case 'object':
      return mapOf(own, root, depth)
    default:
      return fc.constant(null)
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 5 }: Words): fc.Arbitrary<Json> {
  if (typeof format === 'string') return fc.constantFrom(...(FORMATS[format] ?? []))
  if (typeof pattern === 'string') return fc.constantFrom(...(PATTERNS[pattern] ?? []))
  return fc.string({ minLength: Number(minLength), maxLength: Number(maxLength) })
}

function numberOf(type: string, own: Words): fc.Arbitrary<Json> {
  const least = Math.max(Number(own['minimum'] ?? -9), Number(own['exclusiveMinimum'] ?? -10) + 1)
  const most = Math.min(Number(own['maximum'] ?? 9), Number(own['exclusiveMaximum'] ?? 10) - 1)
  const whole = fc.integer({ min: Math.max(-9, least), max: Math.max(least, most) })
  if (own['multipleOf'] !== undefined) return whole.map((value) => value * 3)
  return type === 'integer'
    ? whole
    : fc.oneof(
        whole,
        whole.map((value) => Math.min(value + 0.5, most)),
      )
}

function listOf(own: Words, root: JsonSchema, depth: number): fc.Arbitrary<Json> {
  const first = (own['prefixItems'] ?? []) as readonly unknown[]
  const least = Number(own['minItems'] ?? 0)
  const rest =
    own['items'] === false || depth > 4
      ? fc.constant([])
      : fc.array(instanceOf(own['items'], root, depth + 1), { minLength: least, maxLength: least + 2 })
  const places = first.map((each) => instanceOf(each, root, depth + 1))
  return fc.tuple(fc.tuple(...places), rest).map(([head, tail]) => [...head, ...tail])
}

function mapOf(own: Words, root: JsonSchema, depth: number): fc.Arbitrary<Json> {
  const properties = Object.entries((own['properties'] ?? {}) as JsonObject)
  const required = new Set((own['required'] ?? []) as readonly string[])
  const declared = properties.filter(([name]) => depth <= 4 || required.has(name))
  const extra = own['additionalProperties'] === false ? [] : UNDECLARED
  return fc.record(
    Object.fromEntries([
      ...(own['patternProperties'] === undefined ? [] : [['p-one', fc.integer()] as const]),
      ...declared.map(([name, schema]) => [name, instanceOf(schema, root, depth + 1)] as const),
      ...extra.map(
        (name) => [name, instanceOf(own['additionalProperties'] ?? true, root, depth + 1)] as const,
      ),
    ]),
    {
      requiredKeys: [...required].filter((name) => declared.some(([own]) => own === name)),
      noNullPrototype: true,
    },
  )
}
