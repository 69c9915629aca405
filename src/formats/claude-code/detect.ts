import { type RecordSigns, hasKeys, hasObject, hasText, hasValue, isEvery } from '../engine/format-signs.ts'

/** The signs of the lines of a session file of Claude Code. */
export const signs: RecordSigns = {
  title: 'a session file of Claude Code',
  marks: [
    [
      'a record with `uuid` and `parentUuid`',
      isEvery(hasText('type'), hasText('uuid'), hasKeys('parentUuid', 'isSidechain')),
    ],
    ['a summary with `leafUuid`', isEvery(hasValue('type', 'summary'), hasText('leafUuid'))],
    [
      'a snapshot of files',
      isEvery(hasValue('type', 'file-history-snapshot'), hasText('messageId'), hasObject('snapshot')),
    ],
    [
      'a note about the session',
      isEvery(
        hasText('sessionId'),
        hasValue(
          'type',
          'queue-operation',
          'custom-title',
          'ai-title',
          'agent-name',
          'agent-setting',
          'permission-mode',
          'mode',
          'pr-link',
          'last-prompt',
          'bridge-session',
        ),
      ),
    ],
  ],
}
