import type { JsonObject } from 'interlingua'
import { oddCodexRequests } from './codex-requests.ts'
import { asked, body, input, message, output, said } from './openai-responses-items.ts'

/** Unusual requests that were observed or are possible. */
export const oddRequests: { readonly [name: string]: JsonObject } = {
  ...oddCodexRequests,
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
