/** Hints that the engine writes, with what each records. They are stored in users' databases. */
export const engineHints = {
  wireEventType: 'The type of the wire event that the events of a frame came from.',
  eventCount: 'The number of events that came from the wire event.',
  preserveInvalid:
    'A call, a result or a message breaks the rules of tool pairing, or a tool repeats a name; it is sent as received.',
  emptyConversation: 'The request contained no message.',
  acceptedUser:
    'A digest of the received user id, which the host refuses from others; it is sent as received.',
  acceptedLabels:
    'Digests of the other received ids and of the metadata that the host refuses from others; they are sent as received.',
  acceptedStopCount: 'The number of received stop sequences, where it exceeds the limit of the provider.',
  acceptedByModel: 'The rules for models that the received request breaks, and a digest of its model.',
  requestModel: 'The model of the request that contained the message, for messages with reasoning.',
  prefixDigest: 'A digest of the tools and messages before the answer, for models that verify them.',
} as const
export type EngineHint = keyof typeof engineHints

/** Hints on the names of tools. */
export const toolNameHints = {
  acceptedName: 'The received name breaks the naming rule of the provider; it is sent as received.',
  wireName: 'The name under which the tool was sent, because its own name breaks the naming rule.',
} as const
export type ToolNameHint = keyof typeof toolNameHints

/** Hints on the keys of arguments. */
export const propertyKeyHints = {
  acceptedKeys:
    'The received arguments have keys that break the key rule of the provider; they are sent as received.',
  restoredKeys:
    'The arguments were received under the keys that the tool schema was sent with, not their own.',
} as const
export type PropertyKeyHint = keyof typeof propertyKeyHints

/** Hints on the ids of calls. */
export const callIdHints = {
  acceptedId: 'The received call id breaks the id rule of the provider; it is sent as received.',
} as const
export type CallIdHint = keyof typeof callIdHints

/** Hints on the schemas of tools and outputs. */
export const schemaHints = {
  acceptedSchema: 'A digest of the received schema, which the encoder would change; it is sent as received.',
} as const
export type SchemaHint = keyof typeof schemaHints

/** Hints on images and files. */
export const mediaHints = {
  acceptedMedia:
    "The type of a received image that the provider refuses, or 'unnamed' for a file without a name; sent as received.",
} as const
export type MediaHint = keyof typeof mediaHints

/** Hints on content that follows a strict schema, in which an absent property is null. */
export const strictNullHints = {
  originalText:
    'The text before nulls of a strict schema were removed, and a digest of the content without them.',
} as const
export type StrictNullHint = keyof typeof strictNullHints

/** Hints on the items of formats in which one item contains several parts. */
export const reasoningItemHints = {
  startsItem: 'The type of the item that starts with the part.',
  continuesItem: 'The part belongs to the same item as the part before it.',
  emptyReasoning: 'The reasoning item contained no text.',
  siblingsDigest: 'A digest of the other parts of the reasoning item.',
} as const
export type ReasoningItemHint = keyof typeof reasoningItemHints
