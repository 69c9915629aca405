import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText } from '../../arbitraries.ts'
import { objectOf } from '../messages/ui-message-arbitrary.ts'

const called = objectOf({
  name: fc.constantFrom('weather', '__proto__'),
  arguments: fc.oneof(anyObject, anyJson, anyText),
})

const calls = fc.oneof(
  called.map((call) => JSON.stringify(call)),
  called.map((call) => JSON.stringify(call, null, 2)),
  fc.array(called, { maxLength: 2 }).map((list) => JSON.stringify(list)),
  anyText,
)

const entry = fc.oneof(
  objectOf({
    from: fc.constantFrom('human', 'gpt', 'system', 'user', 'assistant', 'observation', 'tool', 'narrator'),
    value: anyText,
  }),
  objectOf({ from: fc.constantFrom('function_call', 'tool_call'), value: calls }, { weight: fc.nat(1) }),
)

const tools = fc.oneof(
  fc
    .array(
      objectOf(
        { name: fc.constantFrom('weather', 'time') },
        { description: anyText, parameters: fc.constant({ type: 'object', properties: {} }) },
      ),
      { maxLength: 2 },
    )
    .map((list) => JSON.stringify(list)),
  anyText,
)

/** Conversations of ShareGPT, with the columns of LLaMA-Factory. */
export const anyShareGptRecord: fc.Arbitrary<JsonObject> = fc.oneof(
  objectOf(
    { conversations: fc.array(entry, { minLength: 1, maxLength: 5 }) },
    { system: anyText, tools, id: anyText, images: fc.array(anyText, { maxLength: 1 }) },
  ),
  objectOf(
    { conversations: fc.array(entry, { minLength: 1, maxLength: 3 }), chosen: entry, rejected: entry },
    { system: anyText },
  ),
)
