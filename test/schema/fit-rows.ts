import { type JsonSchema } from 'interlingua'
import { fitSchema, type SchemaTarget } from 'interlingua/schema'
import { expect, test } from 'vitest'

/** A schema, the result for a target, and the losses as `rule path`. */
export type Row = readonly [
  name: string,
  target: SchemaTarget,
  schema: JsonSchema,
  fitted: JsonSchema,
  losses?: string,
]

/** Registers one test for each row. */
export function testRows(rows: readonly Row[]): void {
  for (const [name, target, schema, fitted, losses = ''] of rows) {
    test(`${name} (${target})`, () => {
      const made = fitSchema(schema, target)
      expect(JSON.parse(JSON.stringify(made.schema))).toStrictEqual(fitted)
      expect(made.losses.map(({ rule, path }) => `${rule} ${path}`).join(', ')).toBe(losses)
      expect(made.strict).toBe(target.endsWith('strict'))
    })
  }
}
