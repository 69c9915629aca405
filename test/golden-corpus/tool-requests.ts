import { attachSignature } from 'interlingua/content'
import {
  ask,
  call,
  CLOCK,
  conversation,
  instruct,
  PNG,
  type RequestSource,
  reply,
  result,
  results,
  WEATHER,
} from './golden-source.ts'

const question = ask('How warm is it in Oslo and in Rome?')

/** Requests with tools, calls and results. */
export const toolRequests: readonly RequestSource[] = [
  {
    name: 'tools',
    description: 'Two tools, and a choice that forces a call.',
    request: {
      messages: conversation(question),
      tools: [WEATHER, { ...CLOCK, strict: true, cache: { ttl: 'short' } }],
      toolChoice: 'required',
      parallelToolCalls: false,
    },
  },
  {
    name: 'tool-choice-by-name',
    description: 'A choice of one tool by its name.',
    request: {
      messages: conversation(question),
      tools: [WEATHER, CLOCK],
      toolChoice: { name: 'get_weather' },
    },
  },
  {
    name: 'tool-choice-allowed',
    description: 'A choice among some of the tools.',
    request: {
      messages: conversation(question),
      tools: [WEATHER, CLOCK],
      toolChoice: { allowed: ['get_time'], mode: 'auto' },
    },
  },
  {
    name: 'tool-choice-none',
    description: 'Tools that must not be called.',
    request: { messages: conversation(question), tools: [WEATHER], toolChoice: 'none' },
  },
  {
    name: 'parallel-calls',
    description: 'Text and two calls in one message, their results, and a second round.',
    request: {
      messages: conversation(
        instruct('You know the weather.'),
        question,
        reply(
          'Let me look.',
          call('call_1', 'get_weather', { city: 'Oslo' }),
          call('call_2', 'get_weather', { city: 'Rome' }),
        ),
        results(result('call_1', 'get_weather', '4 degrees'), result('call_2', 'get_weather', '18 degrees')),
        reply(call('call_3', 'get_time', {})),
        results(result('call_3', 'get_time', 'Noon')),
        reply('4 and 18 degrees, at noon.'),
        ask('Thanks.'),
      ),
      tools: [WEATHER, CLOCK],
    },
  },
  {
    name: 'tool-errors',
    description: 'A failed call, and a call whose arguments are not JSON.',
    request: {
      messages: conversation(
        question,
        reply(call('call_1', 'get_weather', { city: 'Nowhere' }), {
          type: 'tool-call',
          id: 'call_2',
          name: 'get_weather',
          invalidArguments: '{"city": "Ro',
        }),
        results(
          { ...result('call_1', 'get_weather', 'There is no such city.'), isError: true },
          { ...result('call_2', 'get_weather', 'The arguments are not valid JSON.'), isError: true },
        ),
      ),
      tools: [WEATHER],
    },
  },
  {
    name: 'result-content',
    description: 'Results with several texts, JSON, an image, and nothing.',
    request: {
      messages: conversation(
        ask('Draw the weather.'),
        reply(call('call_1', 'draw', {}), call('call_2', 'read', { path: '/a' }), call('call_3', 'wait', {})),
        results(
          result('call_1', 'draw', 'Done.', {
            type: 'image',
            source: { kind: 'base64', data: PNG, mediaType: 'image/png' },
          }),
          result(
            'call_2',
            'read',
            { type: 'json', value: { lines: [1, 2.5, -3e21], ok: true, none: null } },
            'end',
          ),
          result('call_3', 'wait'),
        ),
        ask('Go on.'),
      ),
      tools: ['draw', 'read', 'wait'].map((name) => ({ ...CLOCK, name })),
    },
  },
  {
    name: 'unpaired-calls',
    description:
      'A call without a result, a result without a call, and a text between a call and its result.',
    request: {
      messages: conversation(
        question,
        reply(
          call('call_1', 'get_weather', { city: 'Oslo' }),
          call('call_2', 'get_weather', { city: 'Rome' }),
        ),
        ask('Hurry!'),
        results(result('call_1', 'get_weather', '4 degrees'), result('call_9', 'get_time', 'Noon')),
      ),
      tools: [WEATHER, CLOCK],
    },
  },
  {
    name: 'unusual-names',
    description: 'Names and ids that some providers reject.',
    request: {
      messages: conversation(
        ask('Search.'),
        reply(call('functions.search:0', 'files.search/v2', { query: 'a' }), call('__proto__', 'größe', {})),
        results(
          result('functions.search:0', 'files.search/v2', 'Nothing.'),
          result('__proto__', 'größe', '3'),
        ),
      ),
      tools: [
        { ...CLOCK, name: 'files.search/v2' },
        { ...CLOCK, name: 'größe' },
      ],
    },
  },
  {
    name: 'custom-tools',
    description: 'A tool that takes text in a grammar, its call, and a tool in a namespace.',
    request: {
      messages: conversation(
        ask('What time is it?'),
        reply(call('call_1', 'shell', { input: 'date -u' })),
        results(result('call_1', 'shell', 'Noon')),
      ),
      tools: [
        {
          type: 'function',
          name: 'shell',
          description: 'Runs a command.',
          input: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
          textInput: { grammar: { syntax: 'regex', definition: '[a-z -]+' } },
        },
        { ...CLOCK, namespace: { name: 'clocks', description: 'Tools about time.' } },
      ],
    },
  },
  {
    name: 'provider-tools',
    description: 'Web search that the provider runs, and a tool of another provider.',
    request: {
      messages: conversation(
        ask('What is new in Oslo?'),
        {
          ...reply(
            {
              type: 'tool-call',
              id: 'srvtoolu_1',
              name: 'web_search',
              arguments: { query: 'Oslo news' },
              executedBy: 'provider',
            },
            {
              type: 'tool-result',
              callId: 'srvtoolu_1',
              name: 'web_search',
              content: [{ type: 'json', value: [{ title: 'Oslo', url: 'https://example.org/oslo' }] }],
            },
            'There is a new opera.',
          ),
          origin: { dialect: 'anthropic', provider: 'anthropic' },
        },
        ask('More, please.'),
      ),
      tools: [
        { type: 'provider', provider: 'anthropic', name: 'web_search', options: { max_uses: 3 } },
        {
          type: 'provider',
          provider: 'openai',
          name: 'code_interpreter',
          options: { container: { type: 'auto' } },
        },
        { type: 'opaque', dialect: 'gemini', value: { newTool: {} } },
      ],
    },
  },
  {
    name: 'signed-calls',
    description: 'Calls with thought signatures of Gemini, and reasoning of Claude before a call.',
    request: {
      messages: conversation(
        question,
        reply(
          attachSignature(call('call_1', 'get_weather', { city: 'Oslo' }), {
            vendor: 'google',
            value: 'CswBAXLI',
          }),
          call('call_2', 'get_weather', { city: 'Rome' }),
        ),
        results(result('call_1', 'get_weather', '4 degrees'), result('call_2', 'get_weather', '18 degrees')),
        reply(
          attachSignature(
            { type: 'reasoning', text: 'The time, too.' },
            { vendor: 'anthropic', value: 'EqQBCgIYAhIN' },
          ),
          call('call_3', 'get_time', {}),
        ),
        results(result('call_3', 'get_time', 'Noon')),
      ),
      tools: [WEATHER, CLOCK],
      reasoning: { enabled: true, budgetTokens: 2048 },
      maxOutputTokens: 8192,
    },
  },
]
