// @ts-check
// Reads canonical messages for the drivers, which write them in the types of each library.

/** @typedef {import('interlingua').Message} Message */
/** @typedef {import('interlingua').Part} Part */
/** @typedef {import('interlingua').ToolResultPart} ToolResultPart */
/**
 * A conversation: the instructions before it, its messages and tools. Instructions in the middle are system messages.
 * @typedef {{ system: string, messages: readonly Message[], tools: readonly { name: string, description: string, input: object }[] }} Conversation
 */

/** @param {{ content: readonly { type: string }[] }} message */
export const textOfParts = ({ content }) =>
  content.map((part) => ('text' in part && part.type === 'text' ? String(part.text) : '')).join('')

/** The data and type of an image or a file. @param {import('interlingua').MediaPart} part */
export function readMedia({ source }) {
  if (source.kind !== 'base64') throw new Error('media of the conversations have data')
  return { data: source.data, mediaType: source.mediaType }
}

/** @param {Part} part */
export const isMedia = (part) => part.type === 'image' || part.type === 'file'

/** The name of the tool of a result. @param {readonly Message[]} messages @param {string} callId */
export function findToolName(messages, callId) {
  for (const { content } of messages)
    for (const part of content) if (part.type === 'tool-call' && part.id === callId) return part.name
  throw new Error(`no call ${callId}`)
}

/** The signature of reasoning, if a vendor signed it. @param {Part} part */
export const readSignature = (part) => part.signature?.value
