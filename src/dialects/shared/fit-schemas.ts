import type { OutputFormat } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { fitSchema, type FittedSchema, reportSchemaLosses } from '../../schema/fit-schema.ts'
import { memoizeBySchema } from '../../wire/memoize.ts'
import type { SchemaTarget } from '../../schema/schema-subsets.ts'
import { digestJson } from '../../wire/digest.ts'
import { isEqualJson, type JsonSchema } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { SchemaHint } from '../engine/hints.ts'

/** A schema of a request, and whether answers are to keep to it by force. */
export interface RequestedSchema {
  readonly schema: JsonSchema
  readonly strict?: boolean | undefined
}

/** Where a schema stands: what holds it, and under which key. */
export interface SchemaLocation {
  readonly path: Path | undefined
  readonly key: 'input' | 'schema'
}

/** How a wire format says the schemas of one kind of place; undefined where it cannot say one at all. */
export type SchemaFitter<Said extends RequestedSchema | undefined = RequestedSchema> = (
  asked: RequestedSchema,
  place: SchemaLocation,
  context: EncodeContext,
) => Said

/** A schema in the subset that a target takes. */
export function fitAndReport(
  schema: JsonSchema,
  target: SchemaTarget,
  { path: at, key }: SchemaLocation,
  context: EncodeContext,
): FittedSchema {
  const made = fitSchema(schema, target)
  reportSchemaLosses(made, child(at, key), (rule, path) => context.report(rule, path))
  return made
}

/** Strict where that is asked for and the schema can be; otherwise the schema goes out as it is. */
export function createStrictFitter(target: SchemaTarget): SchemaFitter {
  return (asked, place, context) => {
    if (asked.strict !== true) return asked
    const { schema, strict } = fitAndReport(asked.schema, target, place, context)
    return strict ? { schema, strict } : downgradeStrict(asked, place, context)
  }
}

/** A schema that cannot be strict although that is asked for. */
export function downgradeStrict(
  { schema }: RequestedSchema,
  { path }: SchemaLocation,
  context: EncodeContext,
): RequestedSchema {
  context.report('not-strict', child(path, 'strict'))
  return { schema, strict: false }
}

/** How both formats of OpenAI say schemas. */
export const fitOpenaiSchema: SchemaFitter = createStrictFitter('openai-strict')

/** The schema of a request as a wire format says it, or as it came from there, as long as nobody edited it. */
export function encodeSchema<Said extends RequestedSchema | undefined>(
  asked: RequestedSchema,
  fit: SchemaFitter<Said>,
  hints: Hints<SchemaHint>,
  place: SchemaLocation,
  context: EncodeContext,
): Said | RequestedSchema {
  const came = hints['acceptedSchema'] !== undefined && hints['acceptedSchema'] === digestSchema(asked.schema)
  return came ? asked : fit(asked, place, context)
}

/** What to remember of a tool whose schema came and would go back as another one. */
export function createInputSchemaHint({ input, strict }: FunctionTool, fit: SchemaFitter): Hints<SchemaHint> {
  return createSchemaHint({ schema: input, strict }, fit)
}

/** The same of a form of answers. */
export function createOutputSchemaHint(
  output: OutputFormat | undefined,
  fit: SchemaFitter<RequestedSchema | undefined>,
): Hints<SchemaHint> {
  return output?.schema === undefined ? {} : createSchemaHint({ ...output, schema: output.schema }, fit)
}

function createSchemaHint(
  asked: RequestedSchema,
  fit: SchemaFitter<RequestedSchema | undefined>,
): Hints<SchemaHint> {
  const made = fit(asked, NO_LOCATION, noReport)
  const same = made !== undefined && made.strict === asked.strict && isEqualJson(made.schema, asked.schema)
  return same ? {} : { acceptedSchema: digestSchema(asked.schema) }
}

const NO_LOCATION: SchemaLocation = { path: undefined, key: 'schema' }

const digestSchema = memoizeBySchema((schema) => digestJson(schema).slice(0, 16))
