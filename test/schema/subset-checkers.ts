import type { SchemaTarget } from 'interlingua/schema'

/**
 * The documented rules of providers for schemas, written a second time without any code of the library. Each
 * check lists what a target would reject.
 */
export type Checked = Exclude<SchemaTarget, 'plain' | ToolTarget>

/** The targets of tool schemas without strict mode; `fit-tool-schema.test.ts` checks their rules. */
export type ToolTarget = 'openai-tools' | 'anthropic-tools' | 'moonshot-tools'

type Node = { readonly [keyword: string]: unknown }

interface Step {
  readonly node: Node
  readonly at: string
  readonly root: Node
}

/** Returns everything that a target rejects in a schema, one line each. */
export function refusals(schema: unknown, target: Checked): readonly string[] {
  const root = schema as Node
  const found: string[] = []
  for (const step of nodesOf(root, '', root)) {
    for (const complaint of CHECKS[target](step)) found.push(`${step.at || '/'}: ${complaint}`)
    for (const complaint of references(step)) found.push(`${step.at}: ${complaint}`)
  }
  return found
}

/** Yields each schema inside a schema. Only the root has definitions. */
function* nodesOf(node: Node, at: string, root: Node): Iterable<Step> {
  yield { node, at, root }
  for (const [word, value] of Object.entries(node)) {
    if (['properties', '$defs'].includes(word)) {
      for (const [name, part] of Object.entries(value as Node))
        yield* nodesOf(part as Node, `${at}/${word}/${name}`, root)
    } else if (['anyOf', 'prefixItems'].includes(word)) {
      for (const [index, part] of (value as Node[]).entries())
        yield* nodesOf(part, `${at}/${word}/${index}`, root)
    } else if (['items', 'additionalProperties'].includes(word) && typeof value === 'object') {
      yield* nodesOf(value as Node, `${at}/${word}`, root)
    }
  }
}

function* references({ node, root, at }: Step): Iterable<string> {
  const { $ref, $defs } = node
  if ($defs !== undefined && at !== '') yield 'definitions below the root'
  if ($ref === undefined) return
  if (Object.keys(node).length > 1) yield 'something stands beside a reference'
  const name = /^"#\/\$defs\/([\w.-]+)"$/.exec(JSON.stringify($ref))?.[1]
  if (name === undefined || !Object.hasOwn(root['$defs'] ?? {}, name))
    yield `${JSON.stringify($ref)} leads nowhere`
}

/** Returns the definitions that can be reached from one, without itself; optional properties may be skipped. */
function reaches(root: Node, from: string, to: string, past: { readonly optional: boolean }): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const body = (root['$defs'] as Node)[name] as Node
    for (const next of refsOf(body, past)) {
      if (next === to) return true
      if (!seen.has(next)) open.push(next)
      seen.add(next)
    }
  }
  return false
}

function* refsOf(node: unknown, past: { readonly optional: boolean }): Iterable<string> {
  if (typeof node !== 'object' || node === null) return
  const { $ref, properties = {}, required = [], additionalProperties, $defs: _defs, ...rest } = node as Node
  if (typeof $ref === 'string') yield $ref.slice('#/$defs/'.length)
  for (const [name, part] of Object.entries(properties as Node)) {
    if (past.optional || (required as string[]).includes(name)) yield* refsOf(part, past)
  }
  if (past.optional) yield* refsOf(additionalProperties, past)
  for (const word of ['anyOf', 'prefixItems', 'items']) {
    for (const part of [rest[word] ?? []].flat()) yield* refsOf(part, past)
  }
}

function* cycles({ root, at }: Step, past: { readonly optional: boolean }): Iterable<string> {
  if (at !== '') return
  for (const name of Object.keys(root['$defs'] ?? {})) {
    if (reaches(root, name, name, past)) yield `${name} stands inside itself`
  }
}

function* unknownWords(node: Node, words: string): Iterable<string> {
  for (const word of Object.keys(node)) if (!words.split(' ').includes(word)) yield `${word} is unknown`
}

function* formats(node: Node, known: string): Iterable<string> {
  const { format } = node
  if (format !== undefined && !known.split(' ').some((word) => word === format)) {
    yield `the format ${JSON.stringify(format)}`
  }
}

const CONSTRAINTS =
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems pattern format'
const SHAPE = 'type enum anyOf properties required items'
const STRICT = `${SHAPE} title description const additionalProperties $ref $defs`

/** The common rules of both strict providers: closed objects, and a type or alternatives everywhere. */
function* strictly({ node }: Step): Iterable<string> {
  const types = [node['type'] ?? []].flat()
  if (types.includes('object') && node['additionalProperties'] !== false) yield 'an open object'
  if (types.includes('array') && node['items'] === undefined) yield 'a list of anything'
  if (!('type' in node) && !('anyOf' in node) && !('$ref' in node)) yield 'a value of any type'
  const listed = [node['enum'] ?? [], node['const'] ?? []].flat()
  if (listed.some((value) => typeof value === 'object' && value !== null))
    yield 'listed values that are not plain'
}

function* openai(step: Step): Iterable<string> {
  const { node, at } = step
  yield* unknownWords(node, `${STRICT} ${CONSTRAINTS}`)
  yield* formats(node, 'date-time time date duration email hostname ipv4 ipv6 uuid')
  yield* strictly(step)
  const names = Object.keys(node['properties'] ?? {})
  if ([node['type'] ?? []].flat().includes('object') && String(names) !== String(node['required']))
    yield 'a property that is not required'
  if (at === '' && (node['type'] !== 'object' || 'anyOf' in node)) yield 'a root that is not an object'
}

function* anthropic(step: Step): Iterable<string> {
  const { node } = step
  yield* unknownWords(node, `${STRICT} format minItems`)
  yield* formats(node, 'date-time time date duration email hostname uri ipv4 ipv6 uuid')
  yield* strictly(step)
  yield* cycles(step, { optional: true })
  if (Number(node['minItems'] ?? 0) > 1) yield 'minItems above 1'
}

function* geminiOpenApi({ node }: Step): Iterable<string> {
  yield* unknownWords(
    node,
    `${SHAPE} format title description nullable default example minItems maxItems propertyOrdering minProperties ` +
      'maxProperties minimum maximum minLength maxLength pattern',
  )
  const { type, enum: listed = [], properties, required = [], anyOf } = node
  const wanted = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL', undefined]
  if (!wanted.includes(type as string | undefined)) yield `the type ${String(type)}`
  if ((listed as unknown[]).some((value) => typeof value !== 'string'))
    yield 'a listed value that is not text'
  if (properties !== undefined && type !== 'OBJECT') yield 'properties of something else than an object'
  const missing = (required as string[]).filter((name) => !Object.hasOwn(Object(properties), name))
  if (missing.length > 0) yield `required but not declared: ${missing.join()}`
  if (anyOf !== undefined) yield* unknownWords(node, 'anyOf nullable title description default')
}

function* geminiJsonSchema(step: Step): Iterable<string> {
  const { node } = step
  yield* unknownWords(
    node,
    `${SHAPE} $defs $ref format title description prefixItems minItems maxItems minimum maximum additionalProperties ` +
      'propertyOrdering',
  )
  if (((node['enum'] ?? []) as unknown[]).some((value) => !['string', 'number'].includes(typeof value))) {
    yield 'a listed value that is neither text nor number'
  }
  yield* cycles(step, { optional: false })
}

function* ollama({ node }: Step): Iterable<string> {
  yield* unknownWords(
    node,
    `${SHAPE} $defs $ref const additionalProperties title description default examples minLength maxLength ${CONSTRAINTS}`,
  )
  yield* formats(node, 'date time date-time uuid')
  if ('properties' in node && 'anyOf' in node) yield 'properties beside alternatives'
  const bounded = Object.keys(node).some((word) => /^(exclusive)?m(in|ax)imum$/i.test(word))
  if ((bounded && ![node['type'] ?? []].flat().includes('integer')) || 'multipleOf' in node)
    yield 'bounds of a number'
  if ('pattern' in node && !/^\^.*\$$/s.test(String(node['pattern']))) yield 'a pattern of a part of the text'
}

function* ollamaTools({ node }: Step): Iterable<string> {
  yield* unknownWords(node, `${SHAPE} description`)
}

function* cohere({ node }: Step): Iterable<string> {
  yield* unknownWords(
    node,
    `${SHAPE} $defs $ref const additionalProperties title description default examples pattern format`,
  )
  yield* formats(node, 'date-time uuid date time')
  if (Array.isArray(node['type'])) yield 'a list of types'
  const { pattern } = node
  if (typeof pattern === 'string' && /[\^$]|\(\?[=!]/.test(pattern))
    yield 'a pattern with an anchor or a lookahead'
}

const CHECKS: { readonly [target in Checked]: (step: Step) => Iterable<string> } = {
  'openai-strict': openai,
  'anthropic-strict': anthropic,
  'gemini-openapi': geminiOpenApi,
  'gemini-json-schema': geminiJsonSchema,
  ollama,
  'ollama-tools': ollamaTools,
  cohere,
}

export const TARGETS: readonly Checked[] = Object.keys(CHECKS) as Checked[]
