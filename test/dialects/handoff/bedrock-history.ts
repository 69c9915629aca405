import type { JsonObject } from 'interlingua'
import { cipher, city, dot, pdf } from './ciphertexts.ts'

const image = { image: { format: 'png', source: { bytes: dot } } }
const use = (toolUseId: string, name: string, input: JsonObject): JsonObject => ({
  toolUse: { toolUseId, name, input },
})
const signed = (text: string, number: number): JsonObject => ({
  reasoningContent: { reasoningText: { text, signature: cipher('bedrock', 'anthropic', number) } },
})

/** The conversation of `histories` in the format of Bedrock. */
export const bedrock: JsonObject = {
  system: [{ text: 'You know the weather.' }],
  messages: [
    {
      role: 'user',
      content: [
        { text: 'Weather in Oslo and Rome, and the time?' },
        image,
        { document: { name: 'Almanac', format: 'pdf', source: { bytes: pdf } } },
      ],
    },
    {
      role: 'assistant',
      content: [
        signed('Three calls are needed', 1),
        { text: 'Let me look' },
        use('tooluse_oslo', 'weather', { city: 'Oslo' }),
        use('tooluse_rome', 'weather', { city: 'Rome' }),
        use('tooluse_time', 'clock', {}),
      ],
    },
    {
      role: 'user',
      content: [
        { toolResult: { toolUseId: 'tooluse_oslo', content: [{ text: 'Snow' }, image] } },
        { toolResult: { toolUseId: 'tooluse_rome', content: [{ text: 'No such city' }], status: 'error' } },
        { toolResult: { toolUseId: 'tooluse_time', content: [{ json: { hour: 12 } }] } },
      ],
    },
    { role: 'assistant', content: [signed('Nothing on Rome', 2), { text: 'Snow in Oslo, at noon' }] },
    { role: 'user', content: [{ text: 'Thanks' }] },
  ],
  toolConfig: {
    tools: [
      { toolSpec: { name: 'weather', description: 'Tells the weather', inputSchema: { json: city } } },
      { toolSpec: { name: 'clock', inputSchema: { json: { type: 'object', properties: {} } } } },
    ],
  },
}
