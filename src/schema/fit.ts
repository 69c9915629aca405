import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { createLoss } from '../canonical/losses/loss.ts'
import type { Loss, LossRule } from '../canonical/model/loss.ts'
import { InterlinguaError } from '../errors.ts'
import { frozenCopy } from '../wire/frozen.ts'
import type { JsonObject, JsonSchema } from '../wire/json.ts'
import { below, type Path, pointer } from '../wire/pointer.ts'
import { idlePlaces } from './idle.ts'
import { exceeds } from './limits.ts'
import { remembering } from './memo.ts'
import { References } from './refs.ts'
import { toJsonSchema } from './source.ts'
import { type SchemaTarget, type Subset, subsets } from './targets.ts'
import { Walk } from './walk.ts'

/** A schema as one target takes it. */
export interface FittedSchema {
  readonly schema: JsonSchema
  /** Whether it may be sent as strict: the target then promises answers of this schema. */
  readonly strict: boolean
  /** What did not come through unchanged, with pointers into the schema that was given. */
  readonly losses: readonly Loss[]
}

/** What is lost elsewhere makes a strict schema impossible: the promise would be about something else. */
const STRICTLY: { readonly [rule in SchemaRule]?: SchemaRule } = {
  'schema-ref': 'not-strict-ref',
  'schema-recursion': 'not-strict-recursion',
  'schema-size': 'not-strict-size',
  'schema-union': 'not-strict-size',
  'schema-never': 'not-strict-never',
}

/**
 * Says a schema in the subset of JSON Schema that a target takes. The result accepts everything that the schema accepts,
 * and perhaps more: what had to be left out is in `losses`. Strict targets forbid undeclared properties and, for OpenAI,
 * make optional properties required and nullable ({@link restore} turns answers back); a schema that cannot be said so
 * goes out as it is, with `strict: false` and the reason among the losses.
 *
 * @example
 * const { schema, losses } = fitSchema({ type: 'integer', exclusiveMinimum: 0, multipleOf: 5 }, 'gemini-json-schema')
 * // schema: { type: 'integer', minimum: 1 }, losses: [{ rule: 'schema-keyword', path: '/multipleOf', … }]
 */
export function fitSchema(schema: JsonSchema | boolean, target: SchemaTarget): FittedSchema {
  if (!Object.hasOwn(fitters, target)) throw unknownTarget(target)
  return fitters[target](typeof schema === 'boolean' ? toJsonSchema(schema) : schema)
}

function unknownTarget(target: string): InterlinguaError {
  return new InterlinguaError('invalid-value', `There is no schema target '${target}'`, {
    found: 'another name',
    expected: Object.keys(fitters).join(', '),
    hint: 'Use the name of one of the targets.',
  })
}

const fitters: { readonly [target in SchemaTarget]: (schema: JsonSchema) => FittedSchema } = {
  'openai-strict': fitterFor('openai-strict'),
  'anthropic-strict': fitterFor('anthropic-strict'),
  'gemini-openapi': fitterFor('gemini-openapi'),
  'gemini-json-schema': fitterFor('gemini-json-schema'),
  ollama: fitterFor('ollama'),
  'ollama-tools': fitterFor('ollama-tools'),
  plain: remembering((schema) => Object.freeze({ schema, strict: false, losses: Object.freeze([]) })),
}

function fitterFor(target: keyof typeof subsets): (schema: JsonSchema) => FittedSchema {
  return remembering((schema) => fit(schema, target))
}

function fit(schema: JsonSchema, target: keyof typeof subsets): FittedSchema {
  const subset: Subset = subsets[target]
  const losses = new Map<string, Loss>()
  const lose = (rule: SchemaRule, at: Path | undefined): void => {
    const acting = (subset.strict && STRICTLY[rule]) || rule
    const path = pointer(at)
    losses.set(`${acting} ${path}`, createLoss(acting, path, { dialect: target }))
  }
  const written = write(schema, subset, lose)
  for (const at of idlePlaces(schema)) lose('schema-idle', at)
  const refusals = [...losses.values()].filter(({ rule }) => rule.startsWith('not-strict-'))
  const refused = refusals.length > 0
  return Object.freeze({
    schema: refused ? schema : frozenCopy(written),
    strict: subset.strict === true && !refused,
    losses: Object.freeze(refused ? refusals : [...losses.values()]),
  })
}

function write(
  schema: JsonSchema,
  subset: Subset,
  lose: (rule: SchemaRule, at: Path | undefined) => void,
): JsonObject {
  const refs = new References(schema)
  const walk = new Walk(subset, refs, lose)
  const place = { optional: false, depth: 0 }
  const root = walk.body([{ schema, at: undefined }], { ...place, stack: ['#'], current: '#' })
  if (root === undefined) lose('schema-never', undefined)
  else if (subset.root === 'object' && root['type'] !== 'object') lose('not-strict-root', undefined)
  const definitions: [string, JsonObject][] = []
  // Writing a definition may name further ones, which the map then gives in turn.
  for (const [ref, name] of walk.names) {
    const target = refs.resolve(ref)
    const body = target && walk.body([target], { ...place, stack: [ref], current: ref })
    if (body === undefined) lose('schema-never', target?.at)
    definitions.push([name, body ?? {}])
  }
  const written = { ...root, ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }) }
  if (subset.limits !== undefined && exceeds(written, subset.limits)) lose('schema-size', undefined)
  return written
}

/**
 * Reports the losses of a fitted schema to an encoder, under the place where the schema stands.
 *
 * @example
 * reportFit(fitSchema(tool.input, 'gemini-openapi'), below(at, 'input'), encoding.lose)
 */
export function reportFit(
  { losses }: FittedSchema,
  at: Path | undefined,
  lose: (rule: LossRule, at: Path | undefined) => void,
): void {
  for (const { rule, path } of losses) {
    const steps = path.split('/').slice(1)
    lose(
      rule,
      steps.reduce<Path | undefined>(
        (place, step) => below(place, step.replaceAll('~1', '/').replaceAll('~0', '~')),
        at,
      ),
    )
  }
}
