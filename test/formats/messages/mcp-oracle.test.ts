import {
  PromptMessageSchema,
  SamplingMessageSchema,
  type SamplingMessage,
} from '@modelcontextprotocol/sdk/types.js'
import { json, type Message, toolResult } from 'interlingua'
import { mcpMessages } from 'interlingua/formats/mcp'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, law } from '../../law-assertions.ts'
import { anyMcpMessages } from './mcp-arbitrary.ts'

const SHARE = RUNS / 10

describe('the MCP SDK', () => {
  test('accepts the messages that are written', () => {
    law(
      anyMessages,
      (given) => {
        for (const message of mcpMessages.toMessages(given).value) SamplingMessageSchema.parse(again(message))
      },
      SHARE,
    )
  })

  test('accepts the generated messages, so that the laws hold for real ones', () => {
    law(
      anyMcpMessages,
      (wire) => {
        for (const message of wire)
          if (!SamplingMessageSchema.safeParse(again(message)).success)
            PromptMessageSchema.parse(again(message))
      },
      SHARE,
    )
  })
})

test('the data of a result is structured content with its text', () => {
  const result = toolResult('c1', [json({ degrees: 4 })])
  const given: Message[] = [{ id: 'm', role: 'tool', content: [result] }]
  const [written] = mcpMessages.toMessages(given).value
  expect(again(written)).toEqual({
    role: 'user',
    content: {
      type: 'tool_result',
      toolUseId: 'c1',
      content: [{ type: 'text', text: '{"degrees":4}' }],
      structuredContent: { degrees: 4 },
    },
  })
  const [read] = mcpMessages.fromMessages([again(written) as SamplingMessage]).value
  expect(read?.content[0]).toMatchObject({ content: [{ type: 'json', value: { degrees: 4 } }] })
})

test('system text is reported, since it is a field of the request', () => {
  const given: Message[] = [{ id: 's', role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }]
  const { value, losses } = mcpMessages.toMessages(given)
  expect(value).toEqual([])
  expect(losses.map(({ rule, path }) => `${path} ${rule}`)).toEqual(['/0/content system-outside'])
})
