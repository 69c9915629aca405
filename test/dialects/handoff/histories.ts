import type { DialectName, JsonObject } from 'interlingua'
import { bedrock } from './bedrock-history.ts'
import { cohere } from './cohere-history.ts'
import { interactions } from './interactions-history.ts'
import { mistralHistory as mistral } from './mistral-history.ts'
import { responsesHistory } from './responses-history.ts'
import { cipher, city, dot, ephemeral, pdf } from './ciphertexts.ts'

const text = (words: string, more: JsonObject = {}): JsonObject => ({ type: 'text', text: words, ...more })

const anthropic: JsonObject = {
  model: 'claude-of-today',
  max_tokens: 2048,
  system: [text('You know the weather.', { cache_control: { type: 'ephemeral', ttl: '1h' } })],
  tools: [
    { name: 'weather', description: 'Tells the weather', input_schema: city },
    { name: 'clock', input_schema: { type: 'object', properties: {} } },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
  ],
  messages: [
    {
      role: 'user',
      content: [
        text('Weather in Oslo and Rome, and the time?'),
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
        { type: 'image', source: { type: 'url', url: 'https://example.org/map.png' }, ...ephemeral },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: pdf },
          title: 'Almanac',
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: 'Three calls are needed',
          signature: cipher('anthropic', 'anthropic', 1),
        },
        { type: 'redacted_thinking', data: cipher('anthropic', 'anthropic', 2) },
        text('Let me look'),
        { type: 'tool_use', id: 'toolu_oslo', name: 'weather', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'toolu_rome', name: 'weather', input: { city: 'Rome' } },
        { type: 'tool_use', id: 'toolu_time', name: 'clock', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_oslo',
          content: [
            text('Snow'),
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: dot } },
          ],
        },
        { type: 'tool_result', tool_use_id: 'toolu_rome', content: 'No such city', is_error: true },
        { type: 'tool_result', tool_use_id: 'toolu_time', content: 'Noon', ...ephemeral },
        text('And what do the papers say?'),
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo snow' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [
            {
              type: 'web_search_result',
              url: 'https://example.org/snow',
              title: 'Snow in Oslo',
              encrypted_content: cipher('anthropic', 'anthropic_search', 3),
            },
          ],
        },
        text('Much snow fell', {
          citations: [
            {
              type: 'web_search_result_location',
              url: 'https://example.org/snow',
              title: 'Snow in Oslo',
              cited_text: 'Much snow',
              encrypted_index: cipher('anthropic', 'anthropic_search', 4),
            },
          ],
        }),
      ],
    },
    { role: 'user', content: 'Now in German' },
  ],
}

const call = (id: string, name: string, given: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: given },
})

const chat: JsonObject = {
  model: 'gpt-of-today',
  messages: [
    {
      role: 'developer',
      content: [text('You know the weather.', { prompt_cache_breakpoint: { mode: 'explicit' } })],
    },
    {
      role: 'user',
      content: [
        text('Weather in Oslo and Rome, and the time?'),
        { type: 'image_url', image_url: { url: `data:image/png;base64,${dot}`, detail: 'low' } },
        { type: 'image_url', image_url: { url: 'https://example.org/map.png' } },
        { type: 'file', file: { file_data: `data:application/pdf;base64,${pdf}`, filename: 'almanac.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me look',
      tool_calls: [
        call('call_oslo', 'weather', '{"city": "Oslo"}'),
        call('call_rome', 'weather', '{"city": '),
        call('call_time', 'clock', ''),
        { id: 'call_shell', type: 'custom', custom: { name: 'shell', input: 'date -u' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_oslo', content: 'Snow' },
    { role: 'tool', tool_call_id: 'call_rome', content: '{"error":"No such city"}' },
    { role: 'tool', tool_call_id: 'call_time', content: [text('Noon')] },
    { role: 'tool', tool_call_id: 'call_shell', content: 'Sun Nov 15' },
    { role: 'assistant', content: 'Snow in Oslo, at noon' },
    { role: 'developer', content: 'From now on in German' },
    { role: 'user', content: 'Say something rude', name: 'ada' },
    { role: 'assistant', content: null, refusal: 'That I will not' },
    { role: 'user', content: 'Then something kind' },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Tells the weather', parameters: city } },
    { type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } },
    { type: 'custom', custom: { name: 'shell', description: 'Runs a command' } },
  ],
  seed: 7,
}

const gives = (name: string, response: JsonObject, more: JsonObject = {}): JsonObject => ({
  functionResponse: { name, response, ...more },
})

const gemini: JsonObject = {
  systemInstruction: { parts: [{ text: 'You know the weather.' }] },
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'Weather in Oslo and Rome, and the time?' },
        { inlineData: { mimeType: 'image/png', data: dot } },
        { fileData: { mimeType: 'application/pdf', fileUri: 'https://example.org/almanac.pdf' } },
      ],
    },
    {
      role: 'model',
      parts: [
        {
          text: 'Three calls are needed',
          thought: true,
          thoughtSignature: cipher('gemini', 'google', 1),
        },
        { text: 'Let me look' },
        {
          functionCall: { name: 'weather', args: { city: 'Oslo' } },
          thoughtSignature: cipher('gemini', 'google', 2),
        },
        { functionCall: { name: 'weather', args: { city: 'Rome' } } },
        { functionCall: { name: 'clock', args: {} } },
      ],
    },
    {
      role: 'user',
      parts: [
        gives(
          'weather',
          { output: 'Snow' },
          { parts: [{ inlineData: { mimeType: 'image/png', data: dot, displayName: 'oslo.png' } }] },
        ),
        gives('weather', { error: 'No such city' }),
        gives('clock', { output: { hour: 12 } }),
      ],
    },
    {
      role: 'model',
      parts: [
        { executableCode: { language: 'PYTHON', code: 'print(-4)' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '-4\n' } },
        { text: 'Four below zero' },
        { text: '', thoughtSignature: cipher('gemini', 'google', 3) },
      ],
    },
    { role: 'user', parts: [{ text: 'Now in German' }] },
  ],
  tools: [
    {
      functionDeclarations: [
        { name: 'weather', description: 'Tells the weather', parametersJsonSchema: city },
        { name: 'clock' },
      ],
    },
    { codeExecution: {} },
  ],
}

const ollama: JsonObject = {
  model: 'llama-of-today',
  messages: [
    { role: 'system', content: 'You know the weather.' },
    { role: 'user', content: 'Weather in Oslo and Rome, and the time?', images: [dot] },
    {
      role: 'assistant',
      content: 'Let me look',
      thinking: 'Three calls are needed',
      tool_calls: [
        { function: { name: 'weather', arguments: { city: 'Oslo' } } },
        { function: { name: 'weather', arguments: { city: 'Rome' } } },
        { function: { name: 'clock', arguments: {} } },
      ],
    },
    { role: 'tool', tool_name: 'weather', content: 'Snow', images: [dot] },
    { role: 'tool', tool_name: 'weather', content: '{"error":"No such city"}' },
    { role: 'tool', tool_name: 'clock', content: 'Noon' },
    { role: 'assistant', content: 'Snow in Oslo, at noon', thinking: 'Nothing on Rome' },
    { role: 'system', content: 'From now on in German' },
    { role: 'user', content: 'Thanks' },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'Tells the weather', parameters: city } },
    { type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } },
  ],
  stream: false,
}

/** One long conversation in each format, as a client has it after some turns. */
export const histories: { readonly [name in DialectName]: JsonObject } = {
  anthropic,
  'openai-chat': chat,
  'openai-responses': responsesHistory,
  gemini,
  ollama,
  mistral,
  'gemini-interactions': interactions,
  bedrock,
  cohere,
}
