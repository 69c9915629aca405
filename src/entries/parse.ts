// The package entry `interlingua/parse`: messages, parts and calls from untrusted JSON, and type guards.
export { type CallArguments, parseArguments, stringifyArguments } from '../canonical/build/call-arguments.ts'
export { isMessage, isMessageLike, isPart, isRole, isSystemRole } from '../canonical/read/type-guards.ts'
export {
  parseMessage,
  parseMessages,
  type ParseOptions,
  parsePart,
  parseRequest,
  parseResponse,
  parseToolCall,
} from '../canonical/parse/parse.ts'
export { parseRole } from '../canonical/parse/message.ts'
