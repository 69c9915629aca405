import type { Rule } from '../../canonical/check/rule.ts'
import { userFirstRule, createToolNameRule } from '../shared/validation-rules.ts'
import { toolNameRule } from './constants.ts'

/** The rules that Gemini has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [userFirstRule, createToolNameRule(toolNameRule)]
