import { expect, test } from 'vitest'
import { law } from './laws.ts'
import { validator, WIRE_SCHEMAS } from './validators.ts'
import { wireValue } from './wire-values.ts'

// A tenth of the usual rounds: this shows that the generator follows each schema, not that the library does.
test.each(WIRE_SCHEMAS)('what is generated after %s is valid', (schema) => {
  law(wireValue(schema), (value) => expect(validator(schema)(value)).toEqual([]), 100)
})
