import type { Rule } from '../../canonical/check/rule.ts'
import {
  createCallIdRule,
  nonBlankTextRule,
  userFirstRule,
  createToolNameRule,
} from '../shared/validation-rules.ts'
import { callIdRule, toolNameRule } from './constants.ts'

/** The rules that Anthropic has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [
  nonBlankTextRule,
  userFirstRule,
  createCallIdRule(callIdRule),
  createToolNameRule(toolNameRule),
]
