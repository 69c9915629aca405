import { freezeOwned } from '../../wire/frozen-json.ts'
import { isValidToolName } from '../shared/tool-names.ts'
import type { UsualChatForms } from '../shared/usual-chat-form-decoder.ts'
import { isVisibleText } from '../shared/usual-parts.ts'
import { toolNameRule } from './constants.ts'
import { decodeToolPlan } from './reasoning.ts'

/** The messages that have no residue, except for the hint of the tool plan. */
export const usualChatForms: UsualChatForms = {
  roles: new Set(['system', 'user', 'assistant']),
  messageWithCallsKeys: ['role', 'tool_plan', 'tool_calls'],
  readContentBesideCalls: ({ tool_plan: plan }) =>
    isVisibleText(plan) ? [freezeOwned(decodeToolPlan(plan, []))] : undefined,
  callKeys: ['id', 'type', 'function'],
  argumentsForm: 'text',
  isValidCall: (id, name) => id !== '' && isValidToolName(name, toolNameRule),
  resultKeys: ['role', 'tool_call_id', 'content'],
  isValidResult: (id) => id !== '',
}
