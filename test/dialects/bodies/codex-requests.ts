import type { JsonObject } from 'interlingua'
import { asked, body, call, input, output } from './openai-responses-items.ts'

const properties = { cmd: { type: 'string', description: 'The command' } }
const execCommand = {
  type: 'function',
  name: 'exec_command',
  description: 'Runs a command.',
  parameters: { type: 'object', properties, required: ['cmd'] },
  strict: false,
}
const sendMail = { ...execCommand, name: 'send', description: 'Sends a letter.' }

/** A custom tool with a grammar, like the one with which Codex edits files. */
export const applyPatch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch" /.+/' },
}

const namespace = (name: string, description: string, tools: readonly JsonObject[]): JsonObject => ({
  type: 'namespace',
  name,
  description,
  tools,
})

const customCall = (id: string, text: string, more: JsonObject = {}): JsonObject => ({
  type: 'custom_tool_call',
  call_id: id,
  name: 'apply_patch',
  input: text,
  ...more,
})

const customOutput = (id: string, text: string): JsonObject => ({
  type: 'custom_tool_call_output',
  call_id: id,
  output: text,
})

/** The fields that every request of Codex contains. */
const settings: JsonObject = {
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'session-1',
  text: { verbosity: 'low' },
}

/** Requests as Codex sends them: with `tools`, and with tools in the conversation. */
export const codexRequests: { readonly [name: string]: JsonObject } = {
  codex: body({
    ...settings,
    instructions: 'You are a coding agent.',
    input: [
      { type: 'message', role: 'developer', content: [input('Read-only sandbox')] },
      { type: 'message', role: 'user', content: [input('Fix the test and tell Ada')] },
      customCall('call_1', '*** Begin Patch\n"quoted"', { id: 'ctc_1' }),
      customOutput('call_1', 'Done'),
      call('call_2', '{"cmd":"ls"}', { name: 'send', namespace: 'mcp__mail__' }),
      { ...output('call_2', 'Sent'), id: 'fco_2', name: 'send', namespace: 'mcp__mail__' },
    ],
    tools: [
      execCommand,
      applyPatch,
      { type: 'custom', name: 'note', description: 'Writes a note.', format: { type: 'text' } },
      namespace('mcp__mail__', 'Letters of the user', [sendMail, { ...sendMail, name: 'search' }]),
      namespace('sky', 'Weather', [{ ...applyPatch, name: 'draw' }]),
      { type: 'web_search', search_context_size: 'low' },
    ],
  }),
  codexLite: body({
    ...settings,
    input: [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [
          namespace('functions', '', [applyPatch, execCommand]),
          namespace('mail', 'Letters of the user', [sendMail]),
        ],
      },
      { type: 'message', role: 'developer', content: [input('You are a coding agent.')] },
      { type: 'message', role: 'user', content: [input('Fix the test and tell Ada')] },
      customCall('call_1', '*** Begin Patch', { namespace: 'functions' }),
      customOutput('call_1', 'Done'),
      { type: 'additional_tools', role: 'developer', id: 'at_1', tools: [{ ...execCommand, name: 'wait' }] },
      call('call_2', '{"cmd":"ls"}', { name: 'wait' }),
      output('call_2', 'Waited'),
    ],
  }),
}

/** Groups of tools, and calls of such tools, in forms that no client should send. */
export const oddCodexRequests: { readonly [name: string]: JsonObject } = {
  toolGroups: body({
    input: [
      { type: 'additional_tools', role: 'system', tools: [] },
      { type: 'additional_tools', role: 'developer', tools: 'none' },
      asked,
      // Not in the form of their tools.
      call('call_1', '{"input":"*** Begin Patch"}', { name: 'apply_patch' }),
      call('call_2', '{"cmd":"ls"}', { name: 'mail__send' }),
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'tomorrow' }, execCommand, null] },
      customCall('call_3', 'text', { name: 'exec_command', namespace: 'of another' }),
      call('call_4', '{}', { namespace: '' }),
      call('call_5', '{}', { namespace: 7 }),
      output('call_1', 'Done'),
      customOutput('call_2', 'Done'),
    ],
    tools: [
      applyPatch,
      namespace('mail', 'First', [sendMail]),
      execCommand,
      namespace('mail', 'Second', [{ ...sendMail, name: 'search' }]),
      { ...namespace('note', 'With more', [sendMail]), defer_loading: true },
      { type: 'namespace', name: 'bare', tools: [sendMail] },
      namespace('broken', 'Unknown tools', [sendMail, { type: 'tomorrow' }]),
      namespace('', 'No name', [sendMail]),
      namespace('empty', 'No tools', []),
      namespace('functions', 'The default', [{ ...sendMail, name: 'exec_command' }]),
    ],
    tool_choice: { type: 'function', name: 'search' },
  }),
}
