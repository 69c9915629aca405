import {
  type ChatRequest,
  type DialectName,
  dialects,
  type FunctionTool,
  toolCallsOf,
  translateRequest,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { applyPatch } from './bodies/codex-requests.ts'

const responses = dialects['openai-responses']
const patch = '*** Begin Patch\n"quoted" \\ and more'

describe('custom tools', () => {
  const chatTool = {
    type: 'custom',
    custom: {
      name: 'apply_patch',
      description: 'Edits files.',
      format: {
        type: 'grammar',
        grammar: { syntax: 'lark', definition: applyPatch.format.definition },
      },
    },
  }
  const conversation = {
    'openai-responses': {
      model: 'm',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: patch },
        { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' },
      ],
      tools: [applyPatch],
      tool_choice: { type: 'custom', name: 'apply_patch' },
    },
    'openai-chat': {
      model: 'm',
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'apply_patch', input: patch } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
      tools: [chatTool],
      tool_choice: { type: 'custom', custom: { name: 'apply_patch' } },
    },
  }

  test.each([
    ['openai-responses', 'openai-chat'],
    ['openai-chat', 'openai-responses'],
  ] as const)('%s to %s: tool, grammar, calls and choice are kept', (from, to) => {
    const { value, losses } = translateRequest(conversation[from], { from, to })
    expectSame(again(value), conversation[to])
    expect(losses).toEqual([])
  })

  test.each([
    ['anthropic', undefined],
    ['gemini', undefined],
    ['ollama', undefined],
    ['openai-chat', 'groq'],
  ] as const)('%s %s receives a function, which is reported', (to: DialectName, flavor) => {
    const { value, losses } = translateRequest(conversation['openai-responses'], {
      from: 'openai-responses',
      to,
      model: 'm',
      ...(flavor && { flavor }),
    })
    expect(JSON.stringify(value)).not.toContain('"custom"')
    expect(losses.filter(({ path }) => path === '/tools/0')).toMatchObject([
      { rule: 'custom-as-function', severity: 'note' },
    ])
  })

  test('a tool of the application can be one, and can be in a namespace with a name of its own', () => {
    const tool: FunctionTool = {
      type: 'function',
      name: 'draw',
      input: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
      textInput: { grammar: { syntax: 'regex', definition: '[a-z]+' } },
      namespace: { name: 'art' },
    }
    const request: ChatRequest = { model: 'm', messages: [user('Hi')], tools: [tool] }
    expect(responses.encodeRequest(request).value.tools).toEqual([
      {
        type: 'namespace',
        name: 'art',
        description: '',
        tools: [
          {
            type: 'custom',
            name: 'draw',
            format: { type: 'grammar', syntax: 'regex', definition: '[a-z]+' },
          },
        ],
      },
    ])
    const item = {
      type: 'custom_tool_call',
      id: 'ctc_1',
      call_id: 'a',
      name: 'draw',
      namespace: 'art',
      input: 'cat',
    }
    const wire = { id: 'r', object: 'response', status: 'completed', output: [item] }
    const response = responses.decodeResponse(wire, { request }).value
    expect(response.candidates.flatMap(toolCallsOf)).toMatchObject([
      { name: 'draw', arguments: { input: 'cat' } },
    ])
    expectSame((again(responses.encodeResponse(response).value) as typeof wire).output, wire.output)
  })
})
