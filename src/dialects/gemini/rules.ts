import type { Rule } from '../../canonical/check/rule.ts'
import { firstTurn, toolNameRule } from '../shared/validity.ts'
import { toolNames } from './codes.ts'

/** What the provider asks of a conversation beyond what every provider does. */
export const rules: readonly Rule[] = [firstTurn, toolNameRule(toolNames)]
