/** Loss rules of tools, tool calls and tool results. */
export const toolRules = {
  'orphan-call': [
    'note',
    'synthesized',
    'A result was added for {field}: {dialect} requires one for every call, and the call has none.',
  ],
  'duplicate-call-id': [
    'note',
    'renamed',
    'The id of {field} was changed: {dialect} requires a unique id for every call.',
  ],
  'misplaced-result': [
    'note',
    'moved',
    '{field} was moved to a tool message: {dialect} accepts results of local tools in no other message.',
  ],
  'late-result': [
    'note',
    'moved',
    '{field} was moved after the tool results: {dialect} requires results to follow their calls immediately.',
  ],
  'orphan-result': [
    'loss',
    'downgraded',
    '{field} was sent as text: {dialect} rejects a result without its call.',
  ],
  'duplicate-result': [
    'loss',
    'downgraded',
    '{field} was sent as text: {dialect} accepts one result for a call.',
  ],
  'foreign-provider-call': [
    'loss',
    'downgraded',
    '{field} was replaced by a text description: another provider than {dialect} executed this call.',
  ],
  'invalid-arguments': [
    'loss',
    'downgraded',
    '{field} was wrapped in an object: {dialect} requires an object, and the text is not valid JSON.',
  ],
  'rounded-number': [
    'loss',
    'downgraded',
    'An integer in {field} was rounded for {dialect}: it has more digits than a number can hold.',
  ],
  'id-changed': [
    'note',
    'renamed',
    '{field} was changed: {dialect} restricts the characters and length of ids.',
  ],
  'name-changed': [
    'note',
    'renamed',
    '{field} was changed: {dialect} restricts the characters and length of tool names.',
  ],
  'custom-as-function': [
    'note',
    'downgraded',
    '{field} was sent as a function with one text argument: {host} has no custom tools.',
  ],

  'result-name': ['note', 'dropped', '{field} was omitted: {dialect} identifies a result by its call id.'],
  'result-named': [
    'note',
    'synthesized',
    'A tool name was added to {field}: {dialect} requires one, and the call is missing.',
  ],
  'result-form': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} has no field for it in a result of this tool.',
  ],
  'empty-error-result': [
    'note',
    'synthesized',
    'A text was added to {field}: {dialect} requires content in an error result.',
  ],
  'error-as-text': [
    'note',
    'downgraded',
    'The failure of {field} was sent in its content: {dialect} has no error flag for results.',
  ],

  'foreign-tool': [
    'loss',
    'dropped',
    '{field} is a tool that another provider than {dialect} runs; it was omitted.',
  ],
  'allowed-tools': [
    'note',
    'downgraded',
    '{field} was applied through the tools or mode that are sent: {dialect} has no list of allowed tools.',
  ],
  'auto-choice': ['note', 'dropped', '{field} was omitted: it is what {dialect} always does.'],
  'choice-without-tools': [
    'note',
    'dropped',
    '{field} was omitted: {dialect} accepts it only together with tools.',
  ],
  'choice-synthesized': [
    'note',
    'synthesized',
    '{field} was added: {dialect} sets parallel calls in the tool choice.',
  ],
  'tools-withheld': [
    'note',
    'dropped',
    '{field} was applied by omitting the other tools: {host} does not support this choice.',
  ],
} as const
