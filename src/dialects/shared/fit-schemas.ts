import type { OutputFormat } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { fitSchema, type FittedSchema, reportSchemaLosses } from '../../schema/fit-schema.ts'
import { memoizeBySchema } from '../../wire/memoize.ts'
import type { SchemaTarget } from '../../schema/schema-subsets.ts'
import { digestJson } from '../../wire/digest.ts'
import { isEqualJson, type JsonSchema } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport, toBodyValue } from '../engine/encode-context.ts'
import type { SchemaHint } from '../engine/residue-hints.ts'

/** A schema of a request; `strict` asks the provider to enforce it. */
export interface RequestedSchema {
  readonly schema: JsonSchema
  readonly strict?: boolean | undefined
}

/** The path of the object that contains a schema, and its key. */
export interface SchemaLocation {
  readonly path: Path | undefined
  readonly key: 'input' | 'schema'
}

/** Converts a schema to the form that a dialect accepts; undefined if the dialect cannot represent it. */
export type SchemaFitter<Fitted extends RequestedSchema | undefined = RequestedSchema> = (
  requested: RequestedSchema,
  location: SchemaLocation,
  context: EncodeContext,
) => Fitted

/** Converts a schema to the subset of a target and reports what is lost. */
export function fitAndReport(
  schema: JsonSchema,
  target: SchemaTarget,
  { path, key }: SchemaLocation,
  context: EncodeContext,
): FittedSchema {
  const fitted = fitSchema(schema, target)
  reportSchemaLosses(fitted, child(path, key), (rule, lossPath) => context.report(rule, lossPath))
  return fitted
}

/**
 * Creates a fitter that makes a schema strict if requested and possible. Otherwise the schema is converted to another target,
 * without `strict`.
 */
export function createStrictFitter(strictTarget: SchemaTarget, target: SchemaTarget): SchemaFitter {
  return (requested, location, context) => {
    const { strict } = requested
    if (strict === true) {
      const fitted = fitAndReport(requested.schema, strictTarget, location, context)
      if (fitted.strict) return { schema: fitted.schema, strict }
      context.report('not-strict', child(location.path, 'strict'))
    }
    const { schema } = fitAndReport(requested.schema, target, location, context)
    return { schema, strict: strict === undefined ? undefined : false }
  }
}

/** Returns the schema of an output with the description of the output, for formats that describe only schemas. */
export function describeOutputSchema(output: OutputFormat, context: EncodeContext): JsonSchema | undefined {
  const { schema, description, type } = output
  if (description === undefined) return schema
  const path = child(child(undefined, 'output'), 'description')
  const canDescribe = type === 'json' && schema !== undefined && schema['description'] === undefined
  if (!canDescribe) {
    context.report('no-field', path)
    return schema
  }
  context.report('output-described', path)
  return { ...schema, description }
}

/** Fits the schema of an output to the subset that both OpenAI dialects accept. */
export const fitOpenaiOutput: SchemaFitter = createStrictFitter('openai-strict', 'plain')
/** Fits the schema of a tool to the subset that both OpenAI dialects accept. */
export const fitOpenaiTool: SchemaFitter = createStrictFitter('openai-strict', 'openai-tools')

/** Reports `strict` of an output for a dialect that enforces every schema: it has no effect, except with a schema if true. */
export function reportEnforcedOutput(
  { type, schema, strict }: OutputFormat,
  path: Path | undefined,
  context: EncodeContext,
): void {
  const hasSchema = type === 'json' && schema !== undefined
  if (strict === undefined || (strict && hasSchema)) return
  context.report(hasSchema ? 'output-enforced' : 'output-name', child(path, 'strict'))
}

/** Returns the schema of a function to send, and whether the provider enforces it. */
export function encodeInputSchema(
  { input, strict }: Pick<FunctionTool, 'input'> & Pick<RequestedSchema, 'strict'>,
  fit: SchemaFitter,
  hints: Hints<SchemaHint>,
  path: Path | undefined,
  context: EncodeContext,
): RequestedSchema {
  return encodeSchema({ schema: input, strict }, fit, hints, { path, key: 'input' }, context)
}

/** Returns the schema to send: as received, if it has not changed since, otherwise converted. */
export function encodeSchema<Fitted extends RequestedSchema | undefined>(
  requested: RequestedSchema,
  fit: SchemaFitter<Fitted>,
  hints: Hints<SchemaHint>,
  location: SchemaLocation,
  context: EncodeContext,
): Fitted | RequestedSchema {
  const { acceptedSchema } = hints
  const isUnchanged = acceptedSchema !== undefined && acceptedSchema === digestSchema(requested.schema)
  const fitted = isUnchanged ? requested : fit(requested, location, context)
  return fitted && { ...fitted, schema: toBodyValue(fitted.schema, context) }
}

/** Returns the hint for a received tool or output format whose schema the encoder would change. */
export function createSchemaHint(
  { schema, strict }: Partial<RequestedSchema>,
  fit: SchemaFitter<RequestedSchema | undefined>,
): Hints<SchemaHint> {
  if (schema === undefined) return {}
  const fitted = fit({ schema, strict }, { path: undefined, key: 'schema' }, noReport)
  const isSame = fitted?.strict === strict && isEqualJson(fitted?.schema, schema)
  return isSame ? {} : { acceptedSchema: digestSchema(schema) }
}

const digestSchema = memoizeBySchema((schema) => digestJson(schema).slice(0, 16))
