import {
  addContent,
  addUsage,
  describeCall,
  isPlainText,
  type Message,
  MessageStore,
  Messages,
  messageKind,
  rawMessage,
  reasoningOf,
  renderMessages,
  sameContent,
  textOf,
  toMessage,
  toMessages,
  toolCallsOf,
  toolResults,
  toolResultsOf,
  updateMessage,
  updatePart,
  withArguments,
  withRole,
} from 'interlingua'
import {
  attachSignature,
  digestContent,
  getExtra,
  getItem,
  hasExtra,
  hasItem,
  isEmptyContent,
  isEmptyMessage,
  isEmptyPart,
  isSignatureValid,
  removeItem,
  setItem,
  withExtra,
  withoutExtra,
} from 'interlingua/content'
import {
  isMessage,
  isMessageLike,
  isPart,
  parseArguments,
  parseMessage,
  parseMessages,
  parsePart,
  parseToolCall,
  stringifyArguments,
} from 'interlingua/parse'
import { onMessages, type Operation } from './operation.ts'

const ALL_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const

/** Everything that a program does with a list. */
function exerciseMessages(messages: readonly Message[]): void {
  const list = Messages.from(messages)
  for (const { id } of messages) list.get(id)
  list.mergeConsecutive()
  list.joinToolResults()
  list.splitToolResults()
  list.withoutEmpty()
  list.remapRoles({ developer: 'system' })
  list.byRoles('user', 'tool').append(messages).prepend(messages).reversed()
  list.exceptRoles(...ALL_ROLES.slice(0, 2)).takeWhileRoles(...ALL_ROLES)
  list.parts()
  list.toText({ render: () => 'x' })
  JSON.stringify(list)
}

function exerciseStore(messages: readonly Message[]): void {
  const store = MessageStore.fromMessages(messages)
  store.merge(MessageStore.fromMessages(messages, 'other')).withoutEmpty().toText()
  JSON.stringify(store)
}

/** Reads each message in every way. */
function readEach(messages: readonly Message[]): void {
  for (const message of messages) {
    for (const read of [messageKind, isEmptyMessage, isPlainText, textOf, reasoningOf, toolResultsOf])
      read(message)
    for (const call of toolCallsOf(message))
      parseArguments(stringifyArguments(withArguments(call, call.arguments ?? {})))
    toolCallsOf(message).map(describeCall)
    sameContent(message, toMessage(message))
    isEmptyContent(message.content)
    for (const part of message.content) {
      isEmptyPart(part)
      isSignatureValid(attachSignature(part, { vendor: 'v', value: 's' }))
      digestContent(part)
    }
  }
}

/** Changes each message in every way. */
function changeEach(messages: readonly Message[]): void {
  for (const message of messages) {
    const marked = withExtra(updateMessage(message, { name: 'n' }), 'own', { mark: true })
    hasExtra(marked, 'own', 'mark')
    getExtra(marked, 'own', 'mark')
    withoutExtra(marked, 'own')
    withRole(message, message.role)
    addContent(message, 'More')
    for (const part of message.content) updatePart(part, {})
  }
}

/** Checks each message as if it were foreign data. */
function parseEach(messages: readonly Message[]): void {
  parseMessages(messages)
  for (const message of messages) {
    isMessage(message)
    isMessageLike(message)
    parseMessage(message)
    for (const part of message.content) {
      isPart(part)
      parsePart(part)
    }
    for (const call of toolCallsOf(message)) parseToolCall(call)
  }
}

/** The functions that read, change and check messages and their parts. */
export const contentOperations: readonly Operation[] = [
  onMessages('Messages', exerciseMessages),
  onMessages('MessageStore', exerciseStore),
  onMessages('read each message', readEach),
  onMessages('change each message', changeEach),
  onMessages('parse each message', parseEach),
  onMessages('toMessages', (messages) => toMessages(messages)),
  onMessages('renderMessages', (messages) => renderMessages(messages, { name: 'value' })),
  onMessages('toolResults', (messages) => toolResults(messages.flatMap(toolResultsOf))),
  onMessages('rawMessage', (messages) => rawMessage('openai-chat', { messages } as never)),
  onMessages('addUsage', (messages) =>
    messages.reduce((sum) => addUsage(sum, sum), { inputTokens: 0, outputTokens: 0, totalTokens: 0 }),
  ),
  onMessages('items by key', (messages) => {
    const middle = messages[Math.floor(messages.length / 2)]
    if (middle === undefined) return
    getItem(messages, 'id', middle.id)
    hasItem(messages, 'id', middle.id)
    setItem(messages, 'id', middle)
    removeItem(messages, 'id', middle.id)
  }),
]
