import { isValidCallId } from '../shared/call-ids.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import { readTextBesideCalls, type UsualChatForms } from '../shared/usual-chat-form-decoder.ts'
import { callIdRule, toolNameRule } from './constants.ts'

/** The messages that have no residue, from hosts without rules of their own. */
export const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'developer', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => readTextBesideCalls(content, null),
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'content'],
  isValidResult: (id) => isValidCallId(id, callIdRule),
}
