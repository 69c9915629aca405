import { isValidCallId } from '../shared/call-ids.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import type { UsualChatForms } from '../shared/usual-chat-forms.ts'
import { createUsualText } from '../shared/usual-forms.ts'
import { callIdRule, toolNameRule } from './constants.ts'

/** The messages that have no residue, from hosts without rules of their own. */
export const usualForms: UsualChatForms = {
  roles: new Set(['system', 'developer', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => {
    if (content === null) return []
    const text = createUsualText(content)
    return text && [text]
  },
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => isValidCallId(id, callIdRule) && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'content'],
  isValidResult: (id) => isValidCallId(id, callIdRule),
}
