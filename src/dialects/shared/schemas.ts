import type { OutputFormat } from '../../canonical/model/request.ts'
import type { FunctionTool } from '../../canonical/model/tool.ts'
import { fitSchema, type FittedSchema, reportFit } from '../../schema/fit.ts'
import { remembering } from '../../schema/memo.ts'
import type { SchemaTarget } from '../../schema/targets.ts'
import { digestJson } from '../../wire/digest.ts'
import { equalJson, type JsonSchema } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { SchemaHint } from '../hints.ts'

/** A schema of a request, and whether answers are to keep to it by force. */
export interface AskedSchema {
  readonly schema: JsonSchema
  readonly strict?: boolean | undefined
}

/** Where a schema stands: what holds it, and under which key. */
export interface SchemaPlace {
  readonly at: Path | undefined
  readonly key: 'input' | 'schema'
}

/** How a wire format says the schemas of one kind of place; undefined where it cannot say one at all. */
export type SchemaFit<Said extends AskedSchema | undefined = AskedSchema> = (
  asked: AskedSchema,
  place: SchemaPlace,
  encoding: Encoding,
) => Said

/** A schema in the subset that a target takes. */
export function fitted(
  schema: JsonSchema,
  target: SchemaTarget,
  { at, key }: SchemaPlace,
  encoding: Encoding,
): FittedSchema {
  const made = fitSchema(schema, target)
  reportFit(made, below(at, key), (rule, path) => encoding.lose(rule, path))
  return made
}

/** Strict where that is asked for and the schema can be; otherwise the schema goes out as it is. */
export function strictly(target: SchemaTarget): SchemaFit {
  return (asked, place, encoding) => {
    if (asked.strict !== true) return asked
    const { schema, strict } = fitted(asked.schema, target, place, encoding)
    return strict ? { schema, strict } : advised(asked, place, encoding)
  }
}

/** A schema that cannot be strict although that is asked for. */
export function advised({ schema }: AskedSchema, { at }: SchemaPlace, encoding: Encoding): AskedSchema {
  encoding.lose('not-strict', below(at, 'strict'))
  return { schema, strict: false }
}

/** How both formats of OpenAI say schemas. */
export const openaiSchemas: SchemaFit = strictly('openai-strict')

/** The schema of a request as a wire format says it, or as it came from there, as long as nobody edited it. */
export function writeSchema<Said extends AskedSchema | undefined>(
  asked: AskedSchema,
  fit: SchemaFit<Said>,
  hints: Hints<SchemaHint>,
  place: SchemaPlace,
  encoding: Encoding,
): Said | AskedSchema {
  const came = hints['acceptedSchema'] !== undefined && hints['acceptedSchema'] === guardOf(asked.schema)
  return came ? asked : fit(asked, place, encoding)
}

/** What to remember of a tool whose schema came and would go back as another one. */
export function inputHint({ input, strict }: FunctionTool, fit: SchemaFit): Hints<SchemaHint> {
  return schemaHint({ schema: input, strict }, fit)
}

/** The same of a form of answers. */
export function outputHint(
  output: OutputFormat | undefined,
  fit: SchemaFit<AskedSchema | undefined>,
): Hints<SchemaHint> {
  return output?.schema === undefined ? {} : schemaHint({ ...output, schema: output.schema }, fit)
}

function schemaHint(asked: AskedSchema, fit: SchemaFit<AskedSchema | undefined>): Hints<SchemaHint> {
  const made = fit(asked, NOWHERE, silent)
  const same = made !== undefined && made.strict === asked.strict && equalJson(made.schema, asked.schema)
  return same ? {} : { acceptedSchema: guardOf(asked.schema) }
}

const NOWHERE: SchemaPlace = { at: undefined, key: 'schema' }

const guardOf = remembering((schema) => digestJson(schema).slice(0, 16))
