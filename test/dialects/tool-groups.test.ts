// Groups of tools that only the Responses API has: namespaces, and tools that the conversation declares.
import {
  accumulate,
  assistant,
  type ChatRequest,
  dialects,
  type FunctionTool,
  type JsonObject,
  Messages,
  toEvents,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  translateRequest,
  translateResponse,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../law-assertions.ts'
import { applyPatch, codexRequests } from './bodies/codex-requests.ts'
import { encodeStreamText, source, streamNames } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'

const responses = dialects['openai-responses']
const others = streamNames.filter((name) => name !== 'openai-responses')
const patch = '*** Begin Patch\n"quoted" \\ and more'

/** The names under which other formats receive the functions of each request. */
const functionNames: { readonly [name: string]: readonly string[] } = {
  codex: ['exec_command', 'apply_patch', 'note', 'mcp__mail__send', 'mcp__mail__search', 'sky__draw'],
  codexLite: ['apply_patch', 'exec_command', 'mail__send', 'wait'],
}

const decode = (name: string): ChatRequest => responses.decodeRequest(codexRequests[name]).value

const functionsOf = ({ tools = [] }: ChatRequest): readonly FunctionTool[] =>
  tools.filter((tool) => tool.type === 'function')

/** A response that calls a custom tool and a tool of a namespace. */
const answer = (mailTool: string) => ({
  id: 'r',
  model: 'm',
  createdAt: '2026-01-01T00:00:00.000Z',
  candidates: [
    assistant(
      [
        toolCall({ id: 'a', name: 'apply_patch', arguments: { input: patch } }),
        toolCall({ id: 'b', name: mailTool, arguments: { cmd: 'x' } }),
        toolCall({ id: 'c', name: 'exec_command', arguments: { cmd: 'ls' } }),
      ],
      { finish: { reason: 'tool-calls' } },
    ),
  ],
})

const expectedItems = {
  codex: [
    { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', input: patch },
    { type: 'function_call', call_id: 'b', name: 'send', namespace: 'mcp__mail__', arguments: '{"cmd":"x"}' },
    { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{"cmd":"ls"}' },
  ],
  codexLite: [
    { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', namespace: 'functions', input: patch },
    { type: 'function_call', call_id: 'b', name: 'send', namespace: 'mail', arguments: '{"cmd":"x"}' },
    {
      type: 'function_call',
      call_id: 'c',
      name: 'exec_command',
      namespace: 'functions',
      arguments: '{"cmd":"ls"}',
    },
  ],
}
const mailTools = { codex: 'mcp__mail__send', codexLite: 'mail__send' }

describe.each(['codex', 'codexLite'] as const)('%s', (name) => {
  const request = decode(name)

  test('its tools are functions with unique names', () => {
    expect(functionsOf(request).map((tool) => tool.name)).toEqual(functionNames[name])
  })

  test.each(others)('%s receives every function', (to) => {
    const { value } = translateRequest(codexRequests[name], { from: 'openai-responses', to, model: 'm' })
    const received = dialects[to].decodeRequest(value).value
    expect(functionsOf(received).map((tool) => tool.name)).toEqual(functionNames[name])
    const described = functionsOf(received).map(({ description, textInput }) => ({ description, textInput }))
    const text = JSON.stringify(described)
    expect(text).toContain('Letters of the user')
    expect(text).toContain(JSON.stringify(applyPatch.format.definition).slice(1, -1))
  })

  test.each(others)('calls that %s returns have the form of their tools', (from) => {
    const wire = again(dialects[from].encodeResponse(answer(mailTools[name])).value)
    const ids = dialects[from].decodeResponse(wire).value.candidates.flatMap(toolCallsOf)
    const { value } = translateResponse(wire, { from, to: 'openai-responses', request })
    expect(value.output).toMatchObject(
      expectedItems[name].map((item, index) => ({ ...item, call_id: ids[index]?.id })),
    )
    const untold = translateResponse(wire, { from, to: 'openai-responses' }).value
    expect(untold.output.map(({ type }) => type)).toEqual(expectedItems[name].map(() => 'function_call'))
  })

  test.each(others)('calls that %s streams have the form of their tools', async (from) => {
    const { text } = await encodeStreamText(from, toEvents(answer(mailTools[name])))
    const events = dialects[from].decodeStream(source(text), { request })
    const streamed = await encodeStreamText('openai-responses', events, { request })
    const wires = payloads(streamed.text) as readonly JsonObject[]
    const whole = wires.at(-1)?.['response'] as { readonly output: readonly JsonObject[] }
    const expected = expectedItems[name].map(({ call_id: _id, ...item }) => item)
    expect(whole.output).toMatchObject(expected)
    const added = wires.filter(({ type }) => type === 'response.output_item.added')
    expect(added.map(({ item }) => item)).toMatchObject(
      expected.map(({ type, name: tool }) => ({ type, name: tool })),
    )
    const deltas = wires.filter(({ type }) => type === 'response.custom_tool_call_input.delta')
    expect(deltas.map(({ delta }) => delta as string).join('')).toBe(patch)
    const back = await accumulate(responses.decodeStream(source(streamed.text), { request }))
    expect(toolCallsOf(back.candidates[0] ?? assistant('')).map((call) => call.name)).toEqual([
      'apply_patch',
      mailTools[name],
      'exec_command',
    ])
  })

  test('calls of earlier turns have the form of their tools, also in cached text', () => {
    const [message = assistant('')] = answer(mailTools[name]).candidates
    const results = toolResults(toolCallsOf(message).map((call) => toolResult(call, 'ok')))
    let messages = Messages.of(user('Hi'))
    for (let turn = 0; turn < 3; turn++) {
      messages = messages.append(message, results, user('And?'))
      const grown = { ...request, messages }
      const { value } = responses.encodeRequest(grown)
      expect(value.input.slice(1, 7)).toMatchObject([
        ...expectedItems[name],
        { type: 'custom_tool_call_output', call_id: 'a', output: 'ok' },
        { type: 'function_call_output', call_id: 'b' },
        { type: 'function_call_output', call_id: 'c' },
      ])
      expectSame(JSON.parse(responses.encodeRequestText(grown).value), again(value))
    }
    expect(messages.size).toBe(10)
  })
})

describe('tools that the conversation declares', () => {
  const request = decode('codexLite')
  const body = codexRequests['codexLite'] as { readonly input: readonly JsonObject[] }
  const encode = (changed: ChatRequest) =>
    again(responses.encodeRequest(changed).value) as typeof body & JsonObject

  test('a removed tool is removed from its item, and an added one is in `tools`', () => {
    const added: FunctionTool = { type: 'function', name: 'added', input: { type: 'object' } }
    const tools = [
      ...(request.tools ?? []).filter((tool) => tool.type !== 'function' || tool.name !== 'exec_command'),
      added,
    ]
    const { input, tools: top } = encode({ ...request, tools })
    expect(JSON.stringify(input[0])).not.toContain('exec_command')
    expect(JSON.stringify(input[0])).toContain('apply_patch')
    expect(top).toMatchObject([{ type: 'function', name: 'added' }])
  })

  test('tools whose item was removed are in `tools`', () => {
    const { input, tools } = encode({ ...request, messages: [...request.messages].slice(1) })
    expect(input[0]).toMatchObject({ type: 'message', role: 'developer' })
    expectSame(tools, body.input[0]?.['tools'])
  })

  test('a changed tool is changed in cached text, too', () => {
    const messages = Messages.from(request.messages)
    for (const description of ['one', 'two', 'three', 'three']) {
      const tools = (request.tools ?? []).map((tool) =>
        tool.type === 'function' ? { ...tool, description } : tool,
      )
      const changed = { ...request, messages, tools }
      const text = responses.encodeRequestText(changed).value
      expectSame(JSON.parse(text), again(responses.encodeRequest(changed).value))
      expect(text).toContain(`"description":"${description}"`)
    }
  })
})

test.each(others)('%s receives one of the tools that have the same name without their namespaces', (to) => {
  const tool = (description: string, namespace?: string): FunctionTool => ({
    type: 'function',
    name: 'run',
    description,
    input: { type: 'object', properties: {} },
    ...(namespace && { namespace: { name: namespace } }),
  })
  const request: ChatRequest = {
    model: 'm',
    messages: [user('Hi')],
    tools: [tool('first'), tool('second', 'functions')],
  }
  const { value, losses } = dialects[to].encodeRequest(request)
  expect(functionsOf(dialects[to].decodeRequest(value).value).map(({ description }) => description)).toEqual([
    'second',
  ])
  expect(losses.filter(({ rule }) => rule === 'redeclared-tool')).toMatchObject([{ path: '/tools/0' }])
})
