import { type } from 'arktype'
import { dialects, json, toolCall, toolResultsOf, validate } from 'interlingua'
import { type SchemaSource } from 'interlingua/schema'
import { Agent, type AgentResult, MessageQueue, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelCapabilities } from '../../../src/canonical/model/capabilities.ts'
import { scripted, type ScriptedModel } from '../../../src/client/scripted-model.ts'
import type { DialectName } from '../../../src/dialects/engine/dialect.ts'

interface Weather {
  readonly city: string
  readonly celsius: number
}

const schemas: { readonly [library: string]: SchemaSource<Weather> } = {
  'zod 4': z.object({ city: z.string(), celsius: z.number() }),
  arktype: type({ city: 'string', celsius: 'number' }),
  'JSON Schema': {
    type: 'object',
    properties: { city: { type: 'string' }, celsius: { type: 'number' } },
    required: ['city', 'celsius'],
    additionalProperties: false,
  },
}

const output = { city: 'Oslo', celsius: 4 }
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const asText = JSON.stringify(output)
const returned = toolCall({ id: 'call_2', name: 'return_result', arguments: output })

/** The capabilities of a model and its responses. */
const modes = {
  'native schema': { can: {}, says: [call, asText] },
  'two phases': { can: { supportsOutputWithTools: false }, says: [call, 'It is 4 °C in Oslo.', asText] },
  return_result: { can: { supportsOutputSchema: false }, says: [call, ['Here it is.', returned]] },
} as const satisfies { [mode: string]: { can: ModelCapabilities; says: unknown } }

const weather = tool<{ readonly city: string }>({
  name: 'weather',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: () => ({ celsius: 4 }),
})

const cases = (Object.keys(dialects) as DialectName[]).flatMap((dialect) =>
  (Object.keys(modes) as (keyof typeof modes)[]).flatMap((mode) =>
    Object.keys(schemas).flatMap((library) =>
      [false, true].map((streamed) => ({
        dialect,
        mode,
        library,
        how: streamed ? 'streamed' : 'whole',
        streamed,
      })),
    ),
  ),
)

interface Ran {
  readonly model: ScriptedModel
  readonly result: AgentResult<Weather>
  readonly text: string
  readonly partials: readonly unknown[]
}

async function run({ dialect, mode, library, streamed }: (typeof cases)[number]): Promise<Ran> {
  const { can, says } = modes[mode]
  const model = scripted(says, { dialect, capabilities: can })
  const agent = new Agent({ model, tools: [weather] })
  const schema = schemas[library] ?? expect.fail('no such library')
  if (!streamed) {
    const result = await agent.sendFor(schema, 'Oslo?')
    return { model, result, text: result.text, partials: [] }
  }
  const stream = agent.stream('Oslo?', { output: schema })
  const partials: unknown[] = []
  let text = ''
  for await (const chunk of stream) {
    text += chunk.text
    if (chunk.output !== undefined) partials.push(structuredClone(chunk.output))
  }
  return { model, result: await stream.result, text, partials }
}

describe('[r163, r164, C25] typed output with tools', () => {
  test.each(cases)('$dialect, $mode, $library, $how', async (each) => {
    const { model, result, text, partials } = await run(each)
    expect(result.output).toEqual(output)
    expect(JSON.parse(result.text)).toEqual(output)
    expect(text).toBe(result.text)
    expect(result.finish.reason).toBe('stop')
    expect(validate(result.messages)).toEqual([])
    expect(model.remaining).toBe(0)
    if (each.streamed) expect(partials.at(-1)).toEqual(output)
    const last = model.calls.at(-1)?.sentRequest
    const tools = (last?.tools ?? []).map((offered) => ('name' in offered ? offered.name : ''))
    expect({ schema: last?.output !== undefined, tools }).toEqual(
      {
        'native schema': { schema: true, tools: ['weather'] },
        'two phases': { schema: true, tools: [] },
        return_result: { schema: false, tools: ['weather', 'return_result'] },
      }[each.mode],
    )
  })
})

describe('[r160] the messages of a typed turn', () => {
  test.each([
    ['native schema', ['user', 'assistant', 'tool', 'assistant']],
    ['two phases', ['user', 'assistant', 'tool', 'assistant']],
    ['return_result', ['user', 'assistant', 'tool', 'assistant', 'tool']],
  ] as const)('%s', async (mode, expected) => {
    const model = scripted(modes[mode].says, { capabilities: modes[mode].can })
    const agent = new Agent({ model, tools: [weather] })
    const { messages } = await agent.send('Oslo?', { output: schemas['zod 4'] ?? {} })
    expect(messages.map(({ role }) => role)).toEqual(expected)
  })
})

describe('return_result', () => {
  const agentThatSays = (...says: Parameters<typeof scripted>[0] & readonly unknown[]): Agent =>
    new Agent({ model: scripted(says, { capabilities: { supportsOutputSchema: false } }), tools: [weather] })

  test('calls beside it still run', async () => {
    const agent = agentThatSays([call, returned])
    const result = await agent.sendFor(schemas['zod 4'] ?? {}, 'Oslo?')
    expect(result.output).toEqual(output)
    const results = result.messages.at(-1)
    expect(results && toolResultsOf(results).map(({ callId, isError }) => [callId, isError])).toEqual([
      ['call_1', undefined],
      ['call_2', undefined],
    ])
    expect(results && toolResultsOf(results)[0]?.content).toEqual([json({ celsius: 4 })])
  })

  test('[r183] text beside it is withheld, and reported in metadata', async () => {
    const stream = agentThatSays(['Here it is.', returned]).stream('Oslo?', {
      output: schemas['zod 4'] ?? {},
    })
    let held = ''
    let whole: unknown
    for await (const { metadata, output: partial } of stream) {
      if (typeof metadata?.['intermediateText'] === 'string') held += metadata['intermediateText']
      if (partial !== undefined) whole = structuredClone(partial)
    }
    expect(held).toBe('Here it is.')
    expect(whole).toEqual(output)
  })

  test('a tool of that name is rejected', async () => {
    const model = scripted([], { capabilities: { supportsOutputSchema: false } })
    const agent = new Agent({ model, tools: [tool({ name: 'return_result', run: () => 1 })] })
    await expect(agent.sendFor(z.string(), 'Oslo?')).rejects.toMatchObject({ code: 'duplicate-tool' })
  })
})

test('two phases: a message queued meanwhile may need tools again', async () => {
  const steering = new MessageQueue()
  const asked: boolean[] = []
  const says = [
    call,
    'It is 4 °C.',
    asText,
    toolCall({ id: 'call_3', name: 'weather', arguments: { city: 'Rome' } }),
    'It is 20 °C.',
    asText,
  ]
  const model = scripted(
    ({ tools = [] }, { index }) => {
      asked.push(tools.length > 0)
      if (index === 2) steering.add('And Rome?')
      return says[index] ?? expect.fail('asked too often')
    },
    { capabilities: { supportsOutputWithTools: false } },
  )
  const { output: given } = await new Agent({ model, tools: [weather] }).send('Oslo?', {
    output: schemas['zod 4'] ?? {},
    messageQueue: steering,
  })
  expect(given).toEqual(output)
  expect(asked).toEqual([true, true, false, true, true, false])
})
