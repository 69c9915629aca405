import { accumulate, type ChatEvent, dialects, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import {
  canonical,
  collect,
  framed,
  identity,
  source,
  streamNames,
  encodeStreamText,
} from '../stream-responses.ts'

const NAME = 'openai-responses'

type Event = readonly [kind: string, body: JsonObject]

/** The first state of an item, its events, and its final state. */
function item(begun: JsonObject, events: readonly Event[], done: JsonObject): readonly Event[] {
  const { id } = begun
  return [
    ['output_item.added', { item: begun }],
    ...events.map(([kind, body]): Event => [kind, { item_id: id ?? '', ...body }]),
    ['output_item.done', { item: { ...begun, status: 'completed', ...done } }],
  ]
}

const items: { readonly [name: string]: readonly Event[] } = {
  code: item(
    {
      id: 'ci_1',
      type: 'code_interpreter_call',
      status: 'in_progress',
      code: '',
      container_id: 'c',
      outputs: null,
    },
    [
      ['code_interpreter_call.in_progress', {}],
      ['code_interpreter_call_code.delta', { delta: 'print(' }],
      ['code_interpreter_call_code.delta', { delta: '"x\n"' }],
      ['code_interpreter_call_code.delta', { delta: ')' }],
      ['code_interpreter_call_code.done', { code: 'print("x\n")' }],
      ['code_interpreter_call.interpreting', {}],
      ['code_interpreter_call.completed', {}],
    ],
    { code: 'print("x\n")', outputs: [{ type: 'logs', logs: 'x\n' }] },
  ),
  mcp: item(
    { id: 'mcp_1', type: 'mcp_call', status: 'in_progress', name: 'roll', server_label: 's', arguments: '' },
    [
      ['mcp_call.in_progress', {}],
      ['mcp_call_arguments.delta', { delta: '{"sides":' }],
      ['mcp_call_arguments.delta', { delta: '6}' }],
      ['mcp_call_arguments.done', { arguments: '{"sides":6}' }],
      ['mcp_call.completed', {}],
    ],
    { arguments: '{"sides":6}', output: '4', error: null },
  ),
  web: item(
    { id: 'ws_1', type: 'web_search_call', status: 'in_progress' },
    [
      ['web_search_call.in_progress', {}],
      ['web_search_call.searching', {}],
      ['web_search_call.completed', {}],
    ],
    { action: { type: 'search', query: 'weather' } },
  ),
  files: item(
    { id: 'fs_1', type: 'file_search_call', status: 'in_progress', queries: [], results: null },
    [
      ['file_search_call.in_progress', {}],
      ['file_search_call.searching', {}],
      ['file_search_call.completed', {}],
    ],
    { queries: ['q'], results: [{ file_id: 'f', text: 't' }] },
  ),
  image: item(
    { id: 'ig_1', type: 'image_generation_call', status: 'in_progress', result: null },
    [
      ['image_generation_call.in_progress', {}],
      ['image_generation_call.generating', {}],
      [
        'image_generation_call.partial_image',
        { partial_image_index: 0, partial_image_b64: 'AAAA', output_format: 'png' },
      ],
      ['image_generation_call.completed', {}],
    ],
    { result: 'AAAABBBB', revised_prompt: 'a cat', output_format: 'png' },
  ),
  shell: item(
    { id: 'sh_1', type: 'shell_call', call_id: 'call_1', status: 'in_progress', action: { commands: [] } },
    [],
    { action: { commands: ['ls -l'] } },
  ),
  custom: item(
    { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'sql', input: '' },
    [
      ['custom_tool_call_input.delta', { delta: 'select ' }],
      ['custom_tool_call_input.delta', { delta: '"a"' }],
      ['custom_tool_call_input.done', { input: 'select "a"' }],
    ],
    { input: 'select "a"' },
  ),
}

/** Creates a stream with one item. */
function streamOf(events: readonly Event[]): readonly JsonObject[] {
  const response = (status: string, output: readonly JsonObject[]): JsonObject => ({
    response: {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      model: 'm',
      status,
      error: null,
      incomplete_details: null,
      output,
    },
  })
  const done = events.flatMap(([, body]) => (body['item'] === undefined ? [] : [body['item'] as JsonObject]))
  const wireEvents: readonly Event[] = [
    ['created', response('in_progress', [])],
    ...events.map(([kind, body]): Event => [kind, { output_index: 0, ...body }]),
    ['completed', response('completed', done.slice(-1))],
  ]
  return wireEvents.map(([kind, body], number) => ({
    type: `response.${kind}`,
    sequence_number: number,
    ...body,
  }))
}

const read = (wires: readonly JsonObject[], exact = true): Promise<ChatEvent[]> =>
  collect(dialects[NAME].decodeStream(source(framed(NAME, wires)), { ...identity, exact }))

const sent = async (events: readonly ChatEvent[]): Promise<JsonObject[]> => {
  const { text } = await encodeStreamText(NAME, events)
  return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
}

const preview = 'response.image_generation_call.partial_image'

describe.each(Object.entries(items))('the stream of a provider tool: %s', (name, events) => {
  const wires = streamOf(events)

  test('is encoded exactly, and equals the final response', async () => {
    const exact = await read(wires)
    expectSame(await sent(exact), wires)
    const whole = dialects[NAME].decodeResponse(wires.at(-1)?.['response'], identity).value
    for (const variant of [exact, await read(wires, false)])
      expectSame(canonical(await accumulate(variant, identity), NAME), canonical(whole, NAME))
  })

  test('is decoded: only a preview is opaque', async () => {
    const kept = (await read(wires)).flatMap((event) => (event.type === 'opaque' ? [event.value] : []))
    const unknown = kept.filter((value) => Object.keys(value as JsonObject).length > 1)
    expect(unknown.map((value) => (value as JsonObject)['type'])).toEqual(name === 'image' ? [preview] : [])
  })

  test.each(streamNames)('is translated to %s without a loss except for a preview', async (other) => {
    const { losses } = await encodeStreamText(other, await read(wires))
    const foreign = losses.filter(({ rule }) => rule === 'foreign-opaque').map(({ path }) => path)
    expect(foreign).toEqual(name === 'image' && other !== NAME ? [`/${preview}`] : [])
  })
})

describe('edits of the input of a call', () => {
  test.each([
    ['code', '{"code":"exit()"}', 'exit()', 'print('],
    ['mcp', '{"sides":20}', '20', '"sides":6'],
    ['custom', '{"input":"drop"}', 'drop', 'select'],
    ['shell', '{"commands":["pwd"]}', 'pwd', 'ls -l'],
  ])('%s: every repeat contains the new text, none the old one', async (name, json, now, before) => {
    let first = true
    const edited = (await read(streamOf(items[name] ?? []))).map((event): ChatEvent => {
      if (event.type !== 'arguments-delta') return event
      const text = first ? json : ''
      first = false
      return { ...event, json: text }
    })
    const text = JSON.stringify(await sent(edited))
    expect(text.includes(before) || text.includes(JSON.stringify(before).slice(1, -1))).toBe(false)
    expect(text.split(now).length - 1).toBeGreaterThanOrEqual(name === 'shell' ? 2 : 4)
  })

  test.each(['custom', 'code'])('%s: free text can be split anywhere', async (name) => {
    const wires = streamOf(items[name] ?? [])
    const cut = (await read(wires, false)).flatMap((event): ChatEvent[] =>
      event.type === 'arguments-delta' ? event.json.split('').map((json) => ({ ...event, json })) : [event],
    )
    const key = name === 'custom' ? 'input' : 'code'
    const last = (told: readonly JsonObject[]): unknown =>
      (told.at(-1) as { readonly response: { readonly output: readonly JsonObject[] } }).response.output[0]?.[
        key
      ]
    expect(last(await sent(cut))).toBe(last(wires))
  })
})
