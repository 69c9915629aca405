import type { ConversationCodec } from '../engine/conversation-codec.ts'
import { signs } from './detect.ts'
import { readRecord } from './read.ts'
import { NAME } from './types.ts'

/** The reader of one conversation. */
export const records: ConversationCodec<typeof NAME> = { name: NAME, signs, settings: [], read: readRecord }
