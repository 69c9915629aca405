import { MessageTemplates } from '../engine/message-templates.ts'
import { BlockTurnWriter } from '../shared/block-turn-writer.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import { hasOnlyValidKeys } from '../shared/property-keys.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import type { AnthropicHint } from './hints.ts'
import { encodeContent, turnOptions } from './message-fragments.ts'

const valueRules = createValueRules({
  slot: DIALECT_SLOT,
  toolNameRule,
  keepsArguments: (value) => hasOnlyValidKeys(value, claudePropertyKeyRule),
  getCallIdRule: () => callIdRule,
})

/** Encodes a conversation: leading system messages become `system`, the rest becomes `messages`. */
export class WireConversationWriter extends BlockTurnWriter<AnthropicHint> {
  constructor() {
    super(DIALECT_SLOT, turnOptions, new MessageTemplates(encodeContent, valueRules))
  }

  fork(): WireConversationWriter {
    return this.copyTo(new WireConversationWriter())
  }
}
