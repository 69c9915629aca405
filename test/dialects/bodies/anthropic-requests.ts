import type { JsonObject } from 'interlingua'
import { cited, claude as body, found, pages, schema, text } from './shared.ts'

const ephemeral = { type: 'ephemeral' }
const call = (id: string, input: JsonObject = { city: 'Oslo' }): JsonObject => ({
  type: 'tool_use',
  name: 'weather',
  id,
  input,
})

/** Requests written by hand after the public documentation: every kind of block, tool and setting. */
export const requests: { readonly [name: string]: JsonObject } = {
  plain: body({
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: 'How are you?' },
      { role: 'user', content: [text('Fine, thanks')] },
    ],
  }),
  images: body({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          {
            type: 'image',
            source: { type: 'url', url: 'https://example.org/a.png' },
            cache_control: ephemeral,
          },
          { type: 'image', source: { type: 'file', file_id: 'file_image' } },
          text('What do you see?'),
        ],
      },
    ],
  }),
  documents: body({
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
            title: 'Annual report',
            context: 'From the archive',
            citations: { enabled: true },
          },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Plain words' } },
          { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' }, title: null },
          { type: 'document', source: { type: 'file', file_id: 'file_report' } },
          { type: 'document', source: { type: 'content', content: [text('A chunk of it')] } },
          { type: 'document', source: { type: 'content', content: 'The whole of it' }, title: 'The book' },
          {
            type: 'search_result',
            source: 'https://example.org/found',
            title: 'Found page',
            content: [text('Body of the page')],
            citations: { enabled: true },
          },
          { type: 'container_upload', file_id: 'file_uploaded' },
          text('Compare them'),
        ],
      },
    ],
  }),
  loop: body({
    messages: [
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Two calls are needed', signature: 'c2lnbmF0dXJl' },
          { type: 'redacted_thinking', data: 'aGlkZGVu' },
          text('Let me look'),
          call('toolu_1'),
          call('toolu_2', { city: 'Rome', deep: { list: [1, null, true] } }),
          call('toolu_3', {}),
          call('toolu_4'),
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Cold and dark' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_2',
            content: [
              text('Warm and sunny'),
              { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'BBBB' } },
              { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Notes' } },
              { type: 'tool_reference', tool_name: 'forecast' },
            ],
            is_error: false,
            cache_control: ephemeral,
          },
          { type: 'tool_result', tool_use_id: 'toolu_3', is_error: true, content: 'No such city' },
          { type: 'tool_result', tool_use_id: 'toolu_4' },
          text('And tomorrow?'),
        ],
      },
      { role: 'assistant', content: [text('Same as today'), call('toolu_5'), text('One moment')] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_5', content: [text('Rain')] }] },
    ],
    tools: [{ name: 'weather', input_schema: schema }],
  }),
  server: body({
    messages: [
      { role: 'user', content: 'Search the web' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo snow' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [{ ...found, page_age: 'May 2026' }],
          },
          {
            type: 'text',
            text: 'It snows a lot',
            citations: [cited],
          },
          {
            type: 'server_tool_use',
            id: 'srvtoolu_2',
            name: 'bash_code_execution',
            input: { command: 'ls' },
          },
          {
            type: 'bash_code_execution_tool_result',
            tool_use_id: 'srvtoolu_2',
            content: {
              type: 'bash_code_execution_result',
              stdout: 'a.txt',
              stderr: '',
              return_code: 0,
              content: [],
            },
          },
          {
            type: 'server_tool_use',
            id: 'srvtoolu_3',
            name: 'web_fetch',
            input: { url: 'https://a.example' },
          },
          {
            type: 'web_fetch_tool_result',
            tool_use_id: 'srvtoolu_3',
            content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
          },
          text('That is all'),
        ],
      },
      { role: 'user', content: 'Thank you' },
    ],
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3, cache_control: ephemeral }],
  }),
  citations: body({
    messages: [
      { role: 'user', content: 'Quote the almanac' },
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: 'As the almanac says',
            citations: [
              { type: 'char_location', ...pages, start_char_index: 3, end_char_index: 9 },
              { type: 'page_location', ...pages, start_page_number: 4, end_page_number: 5 },
              { type: 'content_block_location', ...pages, start_block_index: 6, end_block_index: 7 },
              {
                type: 'search_result_location',
                cited_text: 'Ice melts',
                search_result_index: 1,
                source: 'https://example.org/ice',
                title: 'Ice age',
                start_block_index: 0,
                end_block_index: 1,
              },
            ],
          },
        ],
      },
    ],
  }),
  settings: body({
    system: [
      text('Stay polite'),
      { type: 'text', text: 'Answer in French', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
    tools: [
      { name: 'weather', description: 'Current weather', input_schema: schema, strict: true },
      {
        type: 'custom',
        name: 'forecast',
        input_schema: schema,
        defer_loading: true,
        cache_control: ephemeral,
      },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 9000 },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1024, display: 'summarized' },
    output_config: { effort: 'high', format: { type: 'json_schema', schema } },
    metadata: { user_id: 'user of the day' },
    stop_sequences: ['END OF TEXT', 'STOP NOW'],
    service_tier: 'auto',
    container: 'container_1',
    inference_geo: 'us-east',
    cache_control: ephemeral,
    stream: true,
  }),
  named: body({
    tools: [{ name: 'weather', input_schema: schema }],
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
  }),
  choices: body({
    tools: [{ name: 'weather', input_schema: schema }],
    tool_choice: { type: 'any' },
    thinking: { type: 'adaptive', display: 'omitted' },
    output_config: { effort: 'max' },
  }),
  placed: body({
    messages: [
      { role: 'user', content: 'Start here' },
      {
        role: 'user',
        content: [text('And go on'), { type: 'text', text: 'Marked', cache_control: ephemeral }],
      },
      { role: 'system', content: 'From now on in German' },
      { role: 'assistant', content: [text('Jawohl')] },
      { role: 'user', content: 'Good' },
    ],
    thinking: { type: 'disabled' },
  }),
}
