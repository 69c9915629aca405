import type { UsualChatForms } from '../shared/usual-chat-forms.ts'
import { createUsualText } from '../shared/usual-forms.ts'

/** The messages that have no residue. */
export const usualForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'content', 'tool_calls'],
  readContentBesideCalls: ({ content }) => {
    if (content === '') return []
    const text = createUsualText(content)
    return text && [text]
  },
  callKeys: ['id', 'function'],
  argumentsForm: 'object',
  isValidCall: (id) => id !== '',
  resultKeys: ['role', 'content', 'tool_name', 'tool_call_id'],
  resultNameKey: 'tool_name',
  isValidResult: (id) => id !== '',
}
