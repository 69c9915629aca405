import { refusal, textOf, toolCall, validate } from 'interlingua'
import { type SchemaSource } from 'interlingua/schema'
import { Agent, OutputError, RunError } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelCapabilities } from '../../../src/canonical/model/capabilities.ts'
import { scripted, type ScriptedModel } from '../../../src/client/scripted-model.ts'

const schema = z.object({ celsius: z.number() })
const wrong = '{"celsius":"cold"}'
const right = '{"celsius":4}'
const result = (input: object): ReturnType<typeof toolCall> =>
  toolCall({ name: 'return_result', arguments: { ...input } })

const modes: readonly (readonly [
  mode: string,
  can: ModelCapabilities,
  wrong: ScriptedReply,
  right: ScriptedReply,
])[] = [
  ['native schema', {}, wrong, right],
  ['return_result', { supportsOutputSchema: false }, result({ celsius: 'cold' }), result({ celsius: 4 })],
]

type ScriptedReply = string | ReturnType<typeof toolCall>

const model = (can: ModelCapabilities, ...says: readonly ScriptedReply[]): ScriptedModel =>
  scripted(says, { capabilities: can })

describe('output that does not conform to the schema', () => {
  test.each(modes)(
    '%s: the issues are sent to the model, which may correct them',
    async (_, can, bad, good) => {
      const corrected = model(can, bad, bad, good)
      const { output, messages, steps } = await new Agent({ model: corrected }).sendFor(schema, 'Oslo?')
      expect(output).toEqual({ celsius: 4 })
      expect(steps).toHaveLength(3)
      expect(validate(messages)).toEqual([])
      const [feedback] = [...(corrected.requests.at(-1)?.messages ?? [])].slice(-1)
      expect(feedback && textOf(feedback)).toContain('/celsius')
    },
  )

  test.each(modes)('%s: after the last retry it is an error with the raw text', async (_, can, bad) => {
    const agent = new Agent({ model: model(can, bad, bad), outputRetries: 1 })
    const error: unknown = await agent.sendFor(schema, 'Oslo?').catch((thrown: unknown) => thrown)
    if (!(error instanceof OutputError)) return expect.fail('another error')
    expect(error.code).toBe('invalid-output')
    expect(error.text).toBe(wrong)
    expect(error.issues.map(({ path }) => path)).toEqual(['/celsius'])
    expect(error.partial.steps).toHaveLength(2)
    expect(validate(error.partial.messages)).toEqual([])
  })

  test('a model that does not call return_result gets a reminder', async () => {
    const reminded = model({ supportsOutputSchema: false }, 'It is 4 °C.', result({ celsius: 4 }))
    const { output, messages } = await new Agent({ model: reminded }).sendFor(schema, 'Oslo?')
    expect(output).toEqual({ celsius: 4 })
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool'])
    expect(messages[2]?.metadata).toEqual({ interlingua: { generated: 'output-feedback' } })
  })

  test('one that never does is an error', async () => {
    const never = model({ supportsOutputSchema: false }, 'a', 'b', 'c')
    await expect(new Agent({ model: never }).sendFor(schema, 'Oslo?')).rejects.toMatchObject({ text: 'c' })
  })

  test('a refusal is not output, and is not retried', async () => {
    for (const can of [{}, { supportsOutputSchema: false }]) {
      const refuses = scripted([refusal('I cannot.')], { capabilities: can })
      const { output, messages } = await new Agent({ model: refuses }).sendFor(schema, 'Oslo?')
      expect(output).toBeUndefined()
      expect(messages).toHaveLength(2)
    }
  })
})

describe('JSON', () => {
  test.each([
    ['in a fence', '```json\n{"celsius":4}\n```'],
    ['in a sentence', 'Here: {"celsius":4}. Anything else?'],
    ['in a fence after a sentence', 'Here it is:\n```\n{"celsius":4}\n```\nBye {x}'],
    ['on its own', ' {"celsius":4}\n'],
  ])('%s is found', async (_, reply) => {
    const { output, text } = await new Agent({ model: scripted([reply]) }).sendFor(schema, 'Oslo?')
    expect(output).toEqual({ celsius: 4 })
    expect(text).toBe(right)
  })
})

describe('a schema that is not an object', () => {
  const list = z.array(z.string())
  const tree = {
    anyOf: [{ $ref: '#/$defs/leaf' }, { type: 'number' }],
    $defs: { leaf: { type: 'string' } },
  } as const
  const oldTree = {
    anyOf: [{ $ref: '#/definitions/leaf' }],
    definitions: { leaf: { type: 'string' } },
  } as const
  const nested: z.ZodType<unknown> = z.array(z.lazy(() => nested))

  test.each<[string, SchemaSource, unknown]>([
    ['a list', list, ['a', 'b']],
    ['a text', z.string().min(1), 'a'],
    ['a choice with definitions', tree, 'leaf'],
    ['a list of itself', z.array(z.lazy(() => nested)), [[], [[]]]],
    ['a list of itself by reference', { type: 'array', items: { $ref: '#' } }, [[], [[]]]],
    ['with definitions of the old spelling', oldTree, 'leaf'],
    ['with a property called result', z.union([z.object({ result: z.number() }), z.string()]), { result: 1 }],
  ])('%s is wrapped in an object, since providers accept no other', async (_, source, value) => {
    const native = scripted([JSON.stringify({ result: value })])
    const { output, text } = await new Agent({ model: native }).sendFor<unknown>(source, 'Go')
    expect(output).toEqual(value)
    expect(JSON.parse(text)).toEqual(value)
    expect(native.calls[0]?.sentRequest.output?.schema).toMatchObject({
      type: 'object',
      required: ['result'],
    })
    const byTool = model({ supportsOutputSchema: false }, result({ result: value }))
    expect((await new Agent({ model: byTool }).sendFor<unknown>(source, 'Go')).output).toEqual(value)
  })

  test('is accepted without that object, too', async () => {
    const choice = z.union([z.object({ celsius: z.number() }), z.string()])
    const unwrapped = scripted([right])
    expect((await new Agent({ model: unwrapped }).sendFor(choice, 'Go')).output).toEqual({ celsius: 4 })
  })

  test('its partial output is reported without that object', async () => {
    const stream = new Agent({ model: scripted(['{"result":["a"]}']) }).stream('Go', { output: list })
    const partials: unknown[] = []
    for await (const { output } of stream) if (output !== undefined) partials.push(structuredClone(output))
    expect(partials.at(-1)).toEqual(['a'])
  })
})

test('a schema that cannot be converted is rejected before the model is called', async () => {
  const untouched = scripted([])
  const sent = new Agent({ model: untouched }).sendFor(z.date(), 'Go')
  await expect(sent).rejects.toMatchObject({ code: 'inexpressible-schema' })
  await expect(sent).rejects.not.toBeInstanceOf(RunError)
  expect(untouched.calls).toEqual([])
})
