// What the bodies that UI clients post say about tool calls, and which fields may be missing.
import type { Json, JsonObject } from 'interlingua'
import { readAgUiRunInput } from 'interlingua/formats/ag-ui'
import { readUIChatRequest } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'

describe('useChat', () => {
  const call = (part: JsonObject): JsonObject => ({ type: 'tool-weather', toolCallId: 'c', ...part })
  const output = (value: Json, isError = false): object => ({
    type: 'output',
    callId: 'c',
    output: value,
    isError,
  })
  const approval = (isApproved: boolean): object => ({ type: 'approval', id: 'a', callId: 'c', isApproved })

  test.each([
    ['an output', call({ state: 'output-available', output: { degrees: 4 } }), [output({ degrees: 4 })]],
    ['no output', call({ state: 'output-available' }), [output(null)]],
    ['a preliminary output', call({ state: 'output-available', output: 4, preliminary: true }), []],
    ['an error', call({ state: 'output-error', errorText: 'offline' }), [output('offline', true)]],
    ['an error without a text', call({ state: 'output-error' }), [output('', true)]],
    ['a call that runs', call({ state: 'input-available', input: {} }), []],
    [
      'an approval',
      call({ state: 'approval-responded', approval: { id: 'a', approved: true } }),
      [approval(true)],
    ],
    [
      'a denial',
      call({ state: 'approval-responded', approval: { id: 'a', approved: 'yes', reason: 'no' } }),
      [{ ...approval(false), reason: 'no' }],
    ],
    ['an approval without an id', call({ state: 'approval-responded', approval: { approved: true } }), []],
    ['a part without a call', { type: 'text', text: 'Hi' }, []],
    ['a part that is no object', 'Hi', []],
  ])('%s', (_, part, answers) => {
    const message = { id: 'm', role: 'assistant', parts: [part] }
    expect(readUIChatRequest({ id: 'chat', messages: [message] }).answers).toEqual(answers)
    // Only the last message answers.
    const later = [message, { id: 'n', role: 'user', parts: [] }]
    expect(readUIChatRequest({ id: 'chat', messages: later }).answers).toEqual([])
  })

  test('one message instead of a list', () => {
    const message = { id: 'm', role: 'user', parts: [] }
    expect(readUIChatRequest({ id: 'chat', message }).messages).toEqual([message])
    expect(() => readUIChatRequest({ id: 'chat', message: { ...message, role: 'robot' } })).toThrow(
      '/message/role',
    )
    expect(() => readUIChatRequest({ id: 'chat', messages: [{ role: 'user' }] })).toThrow('/messages/0/id')
  })
})

describe('AG-UI', () => {
  const run = (fields: JsonObject): JsonObject => ({ threadId: 't', runId: 'r', messages: [], ...fields })

  test('fields that may be missing', () => {
    expect(readAgUiRunInput(run({}))).toEqual({
      threadId: 't',
      runId: 'r',
      state: null,
      messages: [],
      tools: [],
      context: [],
      forwardedProps: null,
      answers: [],
    })
    const given = readAgUiRunInput(
      run({
        parentRunId: 'p',
        tools: [{ name: 'a' }],
        context: [{ description: 'd', value: 'v' }, { description: 5 }],
        resume: null,
      }),
    )
    expect(given).toMatchObject({
      parentRunId: 'p',
      tools: [{ name: 'a', description: '', parameters: { type: 'object', properties: {} } }],
      context: [{ description: 'd', value: 'v' }],
    })
  })

  test.each([
    ['a text', { content: '4 degrees' }, { output: '4 degrees', isError: false }],
    [
      'parts',
      { content: [{ type: 'text', text: '4 ' }, { type: 'image' }, 'x', { type: 'text', text: 'degrees' }] },
      { output: '4 degrees', isError: false },
    ],
    ['an error', { content: '', error: 'offline' }, { output: 'offline', isError: true }],
  ])('the result of a tool is %s', (_, fields, expected) => {
    const messages = [{ id: '1', role: 'tool', toolCallId: 'c', ...fields }]
    expect(readAgUiRunInput(run({ messages })).answers).toEqual([
      { type: 'output', callId: 'c', ...expected },
    ])
  })

  test('a result without a call and a decision without an interrupt answer nothing', () => {
    const messages = [{ id: '1', role: 'tool', content: 'x' }]
    expect(readAgUiRunInput(run({ messages, resume: [{ status: 'resolved' }] })).answers).toEqual([])
  })

  test.each([
    ['/messages', { messages: 5 }],
    ['/messages/0', { messages: ['Hi'] }],
    ['/tools/0/name', { tools: [{ name: '' }] }],
    ['/threadId', { threadId: '' }],
  ])('a wrong value at %s', (path, fields) => {
    expect(() => readAgUiRunInput(run(fields))).toThrow(path)
  })
})
