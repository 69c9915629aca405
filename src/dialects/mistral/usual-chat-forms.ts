import { isValidCallId } from '../shared/call-ids.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import { readTextBesideCalls, type UsualChatForms } from '../shared/usual-chat-form-decoder.ts'
import { callIdRule, toolNameRule } from './constants.ts'

/** The messages that have no residue. */
export const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => readTextBesideCalls(content, ''),
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'name', 'content'],
  resultNameKey: 'name',
  isValidResult: (id, name = '') => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
}
