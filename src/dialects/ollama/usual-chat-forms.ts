import { readTextBesideCalls, type UsualChatForms } from '../shared/usual-chat-form-decoder.ts'

/** The messages that have no residue. */
export const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => readTextBesideCalls(content, ''),
  callKeys: ['id', 'function'],
  argumentsForm: 'object',
  isValidCall: (id) => id !== '',
  resultKeys: ['role', 'content', 'tool_name', 'tool_call_id'],
  resultNameKey: 'tool_name',
  isValidResult: (id) => id !== '',
}
