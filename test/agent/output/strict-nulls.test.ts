import { toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scripted } from '../../../src/client/scripted-model.ts'

describe('a null that a strict schema required', () => {
  const optional = z.object({ celsius: z.number(), unit: z.string().optional(), wind: z.number().nullable() })
  const written = { celsius: 4, unit: null, wind: null }
  const meant = { celsius: 4, wind: null }
  const dialects = ['openai-chat', 'openai-responses'] as const
  const asText = JSON.stringify(written)
  const modes = [
    { mode: 'native schema', can: {}, says: [asText] },
    { mode: 'two phases', can: { supportsOutputWithTools: false }, says: ['Four degrees.', asText] },
    {
      mode: 'return_result',
      can: { supportsOutputSchema: false },
      says: [toolCall({ name: 'return_result', arguments: written })],
    },
  ]
  const cases = modes.flatMap((each) => dialects.map((dialect) => ({ ...each, dialect })))

  const agentFor = ({ can, says, dialect }: (typeof cases)[number]): Agent =>
    new Agent({
      model: scripted(says, { dialect, capabilities: can }),
      tools: [tool({ name: 'weather', run: () => 1 })],
    })

  test.each(cases)('$mode, $dialect: is omitted', async (each) => {
    const { output, text } = await agentFor(each).sendFor(optional, 'Oslo?')
    expect([output, JSON.parse(text)]).toEqual([meant, meant])
  })

  test.each(cases)('$mode, $dialect: is never seen in a stream', async (each) => {
    const stream = agentFor(each).stream('Oslo?', { output: optional })
    const partials: unknown[] = []
    for await (const { output } of stream) if (output !== undefined) partials.push(structuredClone(output))
    const { output, text } = await stream.result
    expect([output, JSON.parse(text), partials.at(-1)]).toEqual([meant, meant, meant])
    expect(partials.length).toBeGreaterThan(1)
    for (const partial of partials) expect(partial).not.toHaveProperty('unit')
  })
})
