import type { JsonObject } from 'interlingua'
import { hostedItems, thoughts } from './openai-responses-items.ts'

const parameters = { type: 'object', properties: { city: { type: 'string', description: 'Name of a city' } } }
const input = (words: string): JsonObject => ({ type: 'input_text', text: words })
const said = (words: string, fields: JsonObject = {}): JsonObject => ({
  type: 'output_text',
  text: words,
  annotations: [],
  ...fields,
})
const message = (id: string, content: readonly JsonObject[], fields: JsonObject = {}): JsonObject => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content,
  ...fields,
})
const call = (id: string, given = '{"city":"Oslo"}', fields: JsonObject = {}): JsonObject => {
  return { type: 'function_call', call_id: id, name: 'weather', arguments: given, ...fields }
}
const output = (id: string, given: string | readonly JsonObject[]): JsonObject => {
  return { type: 'function_call_output', call_id: id, output: given }
}
const weather = { type: 'function', name: 'weather', parameters, strict: false }
const asked = { role: 'user', content: 'Hello there' }
const body = (fields: JsonObject): JsonObject => ({ model: 'gpt-of-tomorrow', input: [asked], ...fields })

/** Requests written by hand after the public documentation: every kind of item, part, tool and setting. */
export const requests: { readonly [name: string]: JsonObject } = {
  text: body({ input: 'Hello there', instructions: 'Be brief and kind.' }),
  plain: body({
    input: [
      { role: 'developer', content: 'Be brief.' },
      { type: 'message', role: 'system', content: [input('Be kind.'), input('Be fair.')] },
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: 'How are you?' },
      { role: 'system', content: 'From now on in German' },
      { role: 'user', content: [input('Fine, thanks')], status: 'completed' },
      { type: 'message', role: 'assistant', content: 'Glad to hear', phase: 'commentary' },
      { type: 'message', role: 'assistant', content: 'So am I', phase: 'final_answer' },
    ],
  }),
  media: body({
    input: [
      {
        role: 'user',
        content: [
          { ...input('What is this?'), prompt_cache_breakpoint: { mode: 'explicit' } },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
          { type: 'input_image', image_url: 'https://example.org/a.png', detail: 'auto' },
          { type: 'input_image', file_id: 'file-image', detail: 'original', image_url: null },
          { type: 'input_file', file_data: 'data:application/pdf;base64,JVBE', filename: 'report.pdf' },
          { type: 'input_file', file_url: 'https://example.org/a.pdf', detail: 'high' },
          {
            type: 'input_file',
            file_id: 'file-report',
            prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' },
          },
        ],
      },
    ],
  }),
  loop: body({
    instructions: 'Answer in one word.',
    input: [
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      thoughts('rs_1', ['First this', 'then that']),
      message('msg_1', [said('Let me look'), said('at both')], { phase: 'commentary' }),
      call('call_1', '{"city":"Oslo"}', { id: 'fc_1', status: 'completed' }),
      call('call_2', '{"city": "Rome", "deep": {"list": [1, null]}}', { id: 'fc_2', namespace: 'sky' }),
      output('call_1', 'Cold and dark'),
      { ...output('call_2', [input('Warm'), input('and sunny')]), status: 'completed', id: 'fco_2' },
      { role: 'assistant', content: 'Once more' },
      call('call_3', ''),
      call('call_4', '{"city": '),
      output('call_3', ''),
      output('call_4', [
        input('A map of it'),
        { type: 'input_image', image_url: 'data:image/png;base64,BBBB', detail: 'auto' },
        { type: 'input_file', file_data: 'data:text/csv;base64,Q0ND', filename: 'rain.csv' },
      ]),
      message('msg_2', [
        said('So be it', {
          annotations: [
            {
              type: 'url_citation',
              url: 'https://example.org/rain',
              title: 'Rain',
              start_index: 0,
              end_index: 2,
            },
            { type: 'file_citation', file_id: 'file-rain', filename: 'rain.csv', index: 1 },
            {
              type: 'container_file_citation',
              container_id: 'cntr_1',
              file_id: 'cfile_1',
              filename: 'plot.png',
              start_index: 3,
              end_index: 5,
            },
            { type: 'file_path', file_id: 'file-path', index: 7 },
          ],
          logprobs: [{ token: 'So', logprob: -0.25, bytes: [83], top_logprobs: [] }],
        }),
        { type: 'refusal', refusal: 'No more of this' },
      ]),
      { role: 'user', content: 'Run the shell' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_5', name: 'shell', input: 'ls -la' },
      { type: 'custom_tool_call_output', call_id: 'call_5', output: 'a.txt' },
    ],
    tools: [
      weather,
      {
        type: 'custom',
        name: 'shell',
        description: 'Runs a command',
        format: { type: 'grammar', definition: 'start: WORD', syntax: 'lark' },
      },
    ],
    tool_choice: { type: 'custom', name: 'shell' },
  }),
  encrypted: body({
    input: [
      asked,
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA-of-today', content: [] },
      call('call_1', '{}', { id: 'fc_1' }),
      output('call_1', 'Done'),
      {
        type: 'reasoning',
        id: 'rs_2',
        summary: [{ type: 'summary_text', text: 'In short' }],
        content: [{ type: 'reasoning_text', text: 'At length' }],
        encrypted_content: 'gAAAA-of-tomorrow',
        status: 'completed',
      },
      { type: 'reasoning', id: 'rs_3', summary: [], encrypted_content: null },
      message('msg_1', [said('Done it is')]),
      { role: 'user', content: 'And now?' },
    ],
    include: ['reasoning.encrypted_content'],
    store: false,
  }),
  hosted: body({
    input: [
      asked,
      ...hostedItems,
      message('msg_1', [said('That is all')]),
      { role: 'user', content: 'Approve and click' },
      {
        type: 'mcp_approval_request',
        id: 'mcpr_1',
        name: 'shorten',
        arguments: '{"url":"x"}',
        server_label: 'zip',
      },
      {
        type: 'mcp_approval_response',
        approval_request_id: 'mcpr_1',
        approve: true,
        reason: 'It is harmless',
      },
      {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'call_c',
        status: 'completed',
        action: { type: 'click', button: 'left', x: 10, y: 20 },
        pending_safety_checks: [{ id: 'cusc_1', code: 'careful', message: 'Look twice' }],
      },
      {
        type: 'computer_call_output',
        call_id: 'call_c',
        output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,DDDD' },
        acknowledged_safety_checks: [{ id: 'cusc_1', code: 'careful', message: 'Look twice' }],
      },
    ],
    tools: [
      {
        type: 'web_search',
        search_context_size: 'low',
        user_location: { type: 'approximate', city: 'Oslo' },
      },
      { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 4 },
      { type: 'code_interpreter', container: { type: 'auto', file_ids: ['file-data'] } },
      { type: 'image_generation', size: '1024x1024' },
      { type: 'mcp', server_label: 'zip', server_url: 'https://example.org/mcp', require_approval: 'never' },
      { type: 'computer_use_preview', display_height: 768, display_width: 1024, environment: 'browser' },
      { type: 'shell' },
      { type: 'apply_patch' },
      { type: 'local_shell' },
      { type: 'namespace', name: 'sky', description: 'All of it', tools: [weather] },
    ],
    tool_choice: { type: 'file_search' },
  }),
  shells: body({
    input: [
      asked,
      {
        type: 'local_shell_call',
        id: 'lsh_1',
        call_id: 'call_l',
        status: 'completed',
        action: { type: 'exec', command: ['ls'], env: { HOME: 'root' }, working_directory: 'home' },
      },
      { type: 'local_shell_call_output', id: 'call_l', output: 'a.txt and b.txt' },
      {
        type: 'shell_call',
        id: 'sh_1',
        call_id: 'call_s',
        status: 'completed',
        action: { commands: ['uname -a'], max_output_length: 900, timeout_ms: null },
      },
      {
        type: 'shell_call_output',
        call_id: 'call_s',
        output: [{ stdout: 'Linux', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        max_output_length: 900,
      },
      {
        type: 'apply_patch_call',
        id: 'apc_1',
        call_id: 'call_a',
        status: 'completed',
        operation: { type: 'create_file', path: 'list.md', diff: '+ milk' },
      },
      { type: 'apply_patch_call_output', call_id: 'call_a', status: 'failed', output: 'No space left' },
      { type: 'apply_patch_call_output', call_id: 'call_b', status: 'completed' },
      {
        type: 'tool_search_call',
        id: 'tsc_1',
        call_id: 'call_t',
        status: 'completed',
        execution: 'client',
        arguments: { goal: 'Find the weather' },
      },
      { type: 'tool_search_output', call_id: 'call_t', execution: 'client', tools: [weather] },
    ],
  }),
  kept: body({
    input: [
      { type: 'item_reference', id: 'msg_of_yesterday' },
      { id: 'rs_of_yesterday' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-in-short' },
      asked,
      { type: 'compaction_trigger' },
      output('call_of_yesterday', 'An answer to what is not here'),
    ],
    previous_response_id: 'resp_of_yesterday',
  }),
  settings: body({
    tools: [{ ...weather, description: 'Tells the weather', strict: true, defer_loading: true }],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'weather' }] },
    parallel_tool_calls: false,
    max_output_tokens: 999,
    max_tool_calls: 3,
    temperature: 0.5,
    top_p: 0.75,
    top_logprobs: 4,
    include: ['message.output_text.logprobs'],
    text: {
      format: {
        type: 'json_schema',
        name: 'report',
        schema: { type: 'object', properties: { mood: { type: 'string' } } },
        strict: true,
        description: 'A report of it',
      },
      verbosity: 'low',
    },
    reasoning: { effort: 'high', summary: 'detailed' },
    metadata: { purpose: 'a test' },
    user: 'ada-1815',
    safety_identifier: 'safe-1815',
    prompt_cache_key: 'key-of-today',
    prompt_cache_retention: '24h',
    service_tier: 'flex',
    truncation: 'auto',
    store: true,
    background: false,
    stream: true,
    stream_options: { include_obfuscation: false },
    context_management: [{ type: 'compaction', compact_threshold: 2000 }],
  }),
  choices: body({ tools: [weather], tool_choice: { type: 'function', name: 'weather' } }),
  free: body({ tools: [weather], tool_choice: 'required', text: { format: { type: 'json_object' } } }),
  shown: body({ text: { format: { type: 'text' } }, reasoning: { effort: 'none' } }),
}

/** Requests that are off the beaten track, but were seen or could be. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  stored: { model: 'gpt-of-tomorrow', prompt: { id: 'pmpt_1', version: '2', variables: { who: 'Ada' } } },
  nothing: { input: null, instructions: null, tools: [], metadata: null, reasoning: null, text: null },
  empty: body({ input: '', instructions: '' }),
  blanks: body({
    input: [
      { role: 'user', content: '' },
      { role: 'user', content: [] },
      { role: 'user', content: [input('')] },
      { role: 'assistant', content: '' },
      { type: 'message', role: 'assistant', content: [] },
      message('msg_1', [said('')]),
      { role: 'system', content: null },
      output('call_9', []),
    ],
  }),
  strange: body({
    input: [
      'just words',
      null,
      { type: 'message', role: 'narrator', content: 'Once upon a time' },
      { type: 'web_search_call', id: 'fc_1', call_id: '', name: 'web_search', arguments: '{"query":"xAI"}' },
      { type: 'x_search_call', id: 'fc_2', call_id: '', name: 'x_semantic', arguments: '{"limit":5}' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'other', text: 'Hm' }] },
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'EEEE', format: 'wav' } }] },
      { role: 'user', content: [{ type: 'input_image' }, { type: 'output_text', text: 'not mine' }] },
      { role: 'assistant', content: [{ type: 'input_text', text: 'in the other form' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'without an id' }] },
      { type: 'function_call', call_id: '', name: '', arguments: '{}' },
      { type: 'function_call', call_id: 'call_1', name: 'a name of its own', arguments: '[1]' },
      { type: 'function_call_output', call_id: 'call_1', output: { not: 'a string' } },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'of another kind' },
      { type: 'invention_output', call_id: 'call_2', result: 'of tomorrow' },
    ],
  }),
  alone: body({
    input: [asked, { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'and then?' }] }],
  }),
  choosing: body({ tool_choice: 'auto', max_output_tokens: 5 }),
  servers: body({
    tools: [
      { type: 'mcp', server_label: 'zip', server_url: 'https://example.org/mcp' },
      { type: 'tomorrow' },
    ],
    tool_choice: { type: 'mcp', server_label: 'zip', name: 'shorten' },
    include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
  }),
}
