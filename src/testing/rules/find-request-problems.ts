import type { DialectName, Flavor } from '../../dialects/engine/dialect.ts'
import { checkFlavor } from '../../dialects/engine/flavor-registry.ts'
import { throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { describeType, isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { findHostProblems } from './host-rules.ts'
import { requestRules } from './request-rules.ts'
import {
  applyRules,
  getText,
  hasLoneSurrogate,
  type RequestProblem,
  type WireObject,
} from './request-rule.ts'
import { toServerForm } from './to-server-form.ts'
import { findSchemaProblems, type RequestSchemaName } from './find-schema-problems.ts'

/** The facts about a request that are not in its body. */
export interface CheckRequestOptions {
  /** The model, if the body does not contain it. */
  readonly model?: string
  /** The version of Anthropic's API. Default: `2023-06-01`. */
  readonly apiVersion?: string
  /** True if the request uses beta features of Anthropic. */
  readonly isBeta?: boolean
  /** The host, if it is not the provider of the dialect: what its flavor lists is refused, instead of by the schema. */
  readonly flavor?: Flavor
}

/**
 * Returns the reasons for which the provider of a dialect would refuse a request body: by its published schema, by
 * its rules for conversations, tools and settings, and by what the model accepts. Empty if it would accept it.
 *
 * @example
 * findRequestProblems('anthropic', { model: 'claude-opus-5', max_tokens: 9, messages: [] })
 * // [{ rule: 'messages', path: '/messages', message: 'messages: at least one message is required' }]
 */
export function findRequestProblems(
  dialect: DialectName,
  body: unknown,
  options: CheckRequestOptions = {},
): readonly RequestProblem[] {
  return withTypedErrors(() => {
    checkOptions('findRequestProblems()', options, {
      model: true,
      apiVersion: true,
      isBeta: Boolean,
      flavor: true,
    })
    checkFlavor(options.flavor)
    const names = Object.keys(requestRules)
    if (typeof dialect !== 'string' || !names.includes(dialect))
      throwInvalid('invalid-value', child(undefined, 'dialect'), describeType(dialect), names.join(', '))
    if (!isObject(body)) return throwWrongType(body, undefined, 'a JSON object')
    // The copy is JSON that is not too deep: rules and schemas rely on it.
    return findProblems(dialect, freezeCopy(body) as WireObject, options)
  }, [dialect, body, options])
}

function findProblems(
  dialect: DialectName,
  body: WireObject,
  options: CheckRequestOptions,
): readonly RequestProblem[] {
  const wire = toServerForm(dialect, body)
  if (hasLoneSurrogate(JSON.stringify(wire)))
    return [
      {
        rule: 'well-formed-text',
        path: '',
        message: 'The request body is not valid JSON: no low surrogate in string',
      },
    ]
  // The inputs of official clients contain the model, which belongs to the path in some formats.
  const model = options.model ?? getText(body['model'] ?? body['modelId'])
  // A host has fields that the schema lacks, and its models are those of other vendors.
  if (options.flavor !== undefined) return findHostProblems(dialect, options.flavor, wire)
  return [
    ...findSchemaProblems(chooseSchema(dialect, options), dialect, wire),
    ...applyRules(requestRules[dialect], wire, { model }),
  ]
}

function chooseSchema(
  dialect: DialectName,
  { apiVersion = '2023-06-01', isBeta = false }: CheckRequestOptions,
): RequestSchemaName {
  if (dialect !== 'anthropic') return `${dialect}-request`
  const name = isBeta ? 'anthropic-beta-request' : 'anthropic-request'
  return apiVersion === '2023-06-01' ? `${name}-2023-06-01` : name
}
