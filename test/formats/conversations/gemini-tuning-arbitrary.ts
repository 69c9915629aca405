import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyObject, anyText } from '../../arbitraries.ts'
import { objectOf } from '../messages/ui-message-arbitrary.ts'

const parts = (...kinds: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject[]> =>
  fc.array(fc.oneof(objectOf({ text: anyText }), ...kinds), { minLength: 1, maxLength: 2 })

const call = objectOf({
  functionCall: objectOf({ name: fc.constantFrom('weather', '__proto__'), args: anyObject }),
})

const content = fc.oneof(
  objectOf({ role: fc.constant('user'), parts: parts() }),
  objectOf({ role: fc.constant('model'), parts: parts(call) }),
)

const contents = fc.array(content, { minLength: 1, maxLength: 4 })

const settings = {
  systemInstruction: objectOf({ role: fc.constant('system'), parts: parts() }),
  tools: fc.constant([
    { functionDeclarations: [{ name: 'weather', parameters: { type: 'object', properties: {} } }] },
  ]),
  split: anyText,
}

const answer = objectOf({ role: fc.constant('model'), parts: parts() })

/** Lines of tuning files of Gemini, with and without rated answers. */
export const anyGeminiTuningRecord: fc.Arbitrary<JsonObject> = fc.oneof(
  objectOf({ contents }, settings),
  objectOf(
    {
      contents,
      completions: fc.array(objectOf({ score: fc.constantFrom(0, 1), completion: answer }), {
        minLength: 1,
        maxLength: 2,
      }),
    },
    settings,
  ),
)
