/** Loss rules that only message formats of other libraries have. */
export const formatLossRules = {
  loss: {
    downgraded: {
      'schema-simplified':
        '{field} was simplified: {dialect} describes tools with types that cannot express all of it.',
    },
    dropped: {
      'system-outside':
        '{field} was omitted: a list of {dialect} messages has no system text, which is a field of the request.',
      'request-field':
        '{field} was omitted: it belongs to a request, and only messages are read from {dialect}.',
      'branch-omitted':
        '{field} was omitted: it is not on the branch that ends at the head of the {dialect} session.',
      'tools-omitted': '{field} was omitted: conversations of {dialect} have no field for tools.',
      'part-unsupported':
        '{field} was omitted: {dialect} has no content of this type in a message of this role.',
    },
  },
  note: {
    dropped: {
      'metadata-dropped': '{field} was omitted: {dialect} has no field for data of the application.',
      'result-name-omitted': '{field} was omitted: results of {dialect} do not contain the name of the tool.',
      'provider-result-name': '{field} was omitted: {dialect} has only the id of the call.',
      'session-field':
        '{field} was omitted: it describes the session, and only messages are read from {dialect}.',
      'executed-by': '{field} was omitted: {dialect} has no mark for calls that the provider executed.',
      'setting-omitted': '{field} was omitted: conversations of {dialect} have no field for this setting.',
      'session-entry':
        '{field} was omitted: only messages of the current branch are read from sessions of {dialect}.',
      'reasoning-mark': '{field} was omitted: {dialect} has no mark for summarized or hidden reasoning.',
    },
    renamed: {
      'system-as-developer':
        '{field} was changed to developer: {dialect} has developer messages for instructions.',
      'message-id': '{field} was replaced by a UUID that is derived from it: {dialect} accepts no other ids.',
    },
    downgraded: {
      'arguments-wrapped':
        '{field} was sent as an object with `input`: {dialect} accepts only objects as arguments.',
      'markers-escaped':
        'The markers in {field} were escaped with a backslash: {dialect} would read them as structure.',
      'texts-concatenated': 'The texts of {field} were joined: {dialect} has one text in this message.',
    },
  },
} as const
