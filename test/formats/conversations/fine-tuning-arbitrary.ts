import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from '../messages/ui-message-arbitrary.ts'

const call = objectOf({
  id: callId,
  type: fc.constant('function'),
  function: objectOf({
    name: fc.constantFrom('weather', '__proto__'),
    arguments: anyObject.map((value) => JSON.stringify(value)),
  }),
})

const answer = objectOf(
  { role: fc.constant('assistant'), content: anyText },
  { weight: fc.constantFrom(0, 1) },
)

const message = fc.oneof(
  objectOf(
    { role: fc.constantFrom('system', 'user', 'developer'), content: anyText },
    { name: fc.constant('Ada') },
  ),
  answer,
  objectOf(
    {
      role: fc.constant('assistant'),
      content: fc.constant(null),
      tool_calls: fc.array(call, { minLength: 1, maxLength: 2 }),
    },
    { weight: fc.constantFrom(0, 1) },
  ),
  objectOf({ role: fc.constant('tool'), tool_call_id: callId, content: anyText }),
)

const settings = {
  tools: fc.array(
    objectOf({
      type: fc.constant('function'),
      function: objectOf(
        {
          name: fc.constantFrom('weather', 'time'),
          parameters: fc.constant({ type: 'object', properties: {} }),
        },
        { description: anyText, strict: fc.boolean() },
      ),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  parallel_tool_calls: fc.boolean(),
}

const messages = fc.array(message, { minLength: 1, maxLength: 4 })
const single = fc.array(answer, { minLength: 1, maxLength: 1 })

/** Lines of fine-tuning files: conversations, and preference pairs with the old and the new names. */
export const anyFineTuningRecord: fc.Arbitrary<JsonObject> = fc.oneof(
  objectOf({ messages }, { ...settings, reference_answer: anyText }),
  objectOf(
    {
      input: objectOf({ messages }, settings),
      preferred_output: single,
      non_preferred_output: single,
    },
    { source: anyText },
  ),
  objectOf({ input: objectOf({ messages }), preferred_completion: single, non_preferred_completion: single }),
)
