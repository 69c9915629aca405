import type { Json } from 'interlingua'
import {
  currentBranch,
  fromConversations,
  fromTranscript,
  toConversation,
  toSessionLines,
} from 'interlingua/formats'
import { conversationRows } from '../formats/conversations/format-table.ts'
import { direct, type Operation } from './operation.ts'

const toLines = (records: readonly Json[]): string => records.map((each) => JSON.stringify(each)).join('\n')

/** Reads a file of conversations, or a session file: a list of records. */
function readConversations(input: Json): ReturnType<typeof fromConversations> {
  return fromConversations(toLines(input as readonly Json[]))
}

/** The functions that read and write files of conversations and session files of agent programs. */
export const fileOperations: readonly Operation[] = [
  direct('fromTranscript', (input) => fromTranscript(toLines(input as readonly Json[]))),
  direct('fromTranscript, all branches', (input) => {
    for (const session of fromTranscript(toLines(input as readonly Json[])).sessions) {
      currentBranch(session)
      for (const _line of toSessionLines(session));
    }
  }),
  direct('fromConversations', readConversations),
  ...conversationRows.map(({ name }) => ({
    title: `toConversation ${name}`,
    prepare: (input: Json) => {
      const read = readConversations(input)
      return () => read.map(({ value }) => toConversation(value, { to: name as 'sharegpt' }))
    },
  })),
  {
    title: 'toSessionLines',
    prepare: (input) => {
      const read = readConversations(input)
      return () => read.map((each) => [...toSessionLines(each)].length)
    },
  },
]
