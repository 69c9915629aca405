// @ts-check
// Sends a request of Codex to Claude, and returns the calls of Claude in the form that Codex expects.
import { dialects, translateResponse } from 'interlingua'

const codexBody = {
  model: 'gpt-6-sol',
  input: [
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: '',
          tools: [{ type: 'custom', name: 'apply_patch', description: 'Edits files.' }],
        },
        {
          type: 'namespace',
          name: 'mcp__mail__',
          description: 'Letters of the user.',
          tools: [{ type: 'function', name: 'send', parameters: { type: 'object' }, strict: false }],
        },
      ],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it and tell Ada.' }] },
  ],
}

// Keep the decoded request: the response is translated with it.
const request = dialects['openai-responses'].decodeRequest(codexBody).value
const { value } = dialects.anthropic.encodeRequest(request, { model: 'claude-sonnet-5' })
for (const tool of value.tools ?? []) console.log(JSON.stringify(tool))

const answer = {
  type: 'message',
  role: 'assistant',
  id: 'msg_1',
  model: 'claude-sonnet-5',
  content: [
    { type: 'tool_use', id: 'toolu_1', name: 'apply_patch', input: { input: '*** Begin Patch' } },
    { type: 'tool_use', id: 'toolu_2', name: 'mcp__mail__send', input: {} },
  ],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 9 },
}
const response = translateResponse(answer, { from: 'anthropic', to: 'openai-responses', request })
for (const { id: _id, ...item } of response.value.output) console.log(JSON.stringify(item))

/* prints:
{"name":"apply_patch","description":"Edits files.","input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}
{"name":"mcp__mail__send","description":"Letters of the user.","input_schema":{"type":"object"},"strict":false}
{"type":"custom_tool_call","call_id":"toolu_1","name":"apply_patch","namespace":"functions","input":"*** Begin Patch"}
{"status":"completed","type":"function_call","call_id":"toolu_2","name":"send","namespace":"mcp__mail__","arguments":"{}"}
*/
