import type { Message } from '../../canonical/model/message.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { keepIfMisplaced } from '../engine/keep-unknown-values.ts'
import type { MessagesReader } from '../engine/message-format.ts'
import { attachMessageResidue } from '../engine/attach-message-residue.ts'
import { readBlock } from './blocks.ts'
import { MCP_SLOT, NAME } from './constants.ts'
import { writeMessages } from './write.ts'

/** Reads messages of MCP, each as one message. A message that contains only results is a tool message. */
export const readMessages: MessagesReader = (items, path, context) => {
  return items.map((wire, index) => {
    const at = child(path, index)
    const { content } = wire
    const blocks = Array.isArray(content) ? (content as readonly Json[]) : [content as Json]
    const role = wire['role'] === 'user' && isResultList(blocks) ? 'tool' : (wire['role'] as Message['role'])
    const contentPath = child(at, 'content')
    const parts = blocks.map((block, position) => {
      const blockPath = Array.isArray(content) ? child(contentPath, position) : contentPath
      return keepIfMisplaced(readBlock(block, false, blockPath), role, NAME, block, blockPath)
    })
    const fields = { id: context.messageId(), role, content: parts }
    const message = checkAndFreezeMessage(fields as unknown as Message, at)
    const hints = Array.isArray(content) && content.length === 1 ? { list: true } : {}
    return attachMessageResidue(message, MCP_SLOT, hints, wire, at, writeMessages)
  })
}

function isResultList(blocks: readonly Json[]): boolean {
  return blocks.length > 0 && blocks.every((block) => isObject(block) && block['type'] === 'tool_result')
}
