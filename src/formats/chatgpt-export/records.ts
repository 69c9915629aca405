import type { ConversationCodec } from '../engine/conversation-codec.ts'
import { NAME, signs } from './detect.ts'
import { readRecord } from './read.ts'

/** The reader of one conversation. */
export const records: ConversationCodec<typeof NAME> = { name: NAME, signs, settings: [], read: readRecord }
