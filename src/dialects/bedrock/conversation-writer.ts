import type { MediaPart, ToolResultPart } from '../../canonical/model/part.ts'
import { MessageTemplates } from '../engine/message-templates.ts'
import { BlockTurnWriter } from '../shared/block-turn-writer.ts'
import { claudePropertyKeyRule } from '../shared/claude-tools.ts'
import { hasOnlyValidKeys } from '../shared/property-keys.ts'
import { createValueRules } from '../shared/value-rules.ts'
import { DIALECT_SLOT, getCallIdRule, toolNameRule } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import type { BedrockHint } from './hints.ts'
import { isAcceptedIn } from './media.ts'
import { encodeContent, turnOptions } from './message-fragments.ts'

const valueRules = createValueRules({
  slot: DIALECT_SLOT,
  toolNameRule,
  keepsArguments: (value) => hasOnlyValidKeys(value, claudePropertyKeyRule),
  getCallIdRule,
})

/** Encodes a conversation: leading system messages become `system`, the rest becomes `messages`. */
export class WireConversationWriter extends BlockTurnWriter<BedrockHint> {
  readonly #namer: DocumentNamer

  constructor(namer: DocumentNamer = new DocumentNamer()) {
    const content = new MessageTemplates(
      (message, path, context) => encodeContent(message, path, context, namer),
      valueRules,
    )
    super(DIALECT_SLOT, turnOptions, content)
    this.#namer = namer
  }

  /** A result may contain all media but audio. */
  shouldMoveToUser(part: MediaPart, _result: ToolResultPart): boolean {
    return !isAcceptedIn(part.type, 'result')
  }

  fork(): WireConversationWriter {
    return this.copyTo(new WireConversationWriter(this.#namer.fork()))
  }
}
