import { expect, test } from 'vitest'
import { law } from './laws.ts'
import { validator, WIRE_SCHEMAS } from './validators.ts'
import { wireValue } from './wire-values.ts'

/** Two kinds of tool choice share the type `mcp`, and the schema tells them apart by it alone: it knows the shorter one. */
const shared = /\/tool_choice\/(?:server_label|name): the key is unknown$/

// A tenth of the usual rounds: this shows that the generator follows each schema, not that the library does.
test.each(WIRE_SCHEMAS)('what is generated after %s is valid', (schema) => {
  const complaints = (value: unknown): readonly string[] =>
    validator(schema)(value).filter((complaint) => !shared.test(complaint))
  law(wireValue(schema), (value) => expect(complaints(value)).toEqual([]), 100)
})
