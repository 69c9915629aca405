import { expect, test } from 'vitest'
import { law } from './law-assertions.ts'
import { validator, WIRE_SCHEMAS } from './wire-validators.ts'
import { wireValue } from './wire-arbitraries.ts'

// A tenth of the usual rounds: this shows that the generator follows each schema, not that the library does.
test.each(WIRE_SCHEMAS)('what is generated after %s is valid', (schema) => {
  law(wireValue(schema), (value) => expect(validator(schema)(value)).toEqual([]), 100)
})
