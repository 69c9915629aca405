/** Loss rules of request settings, of models and of hosts. */
export const settingRules = {
  'no-field': ['loss', 'dropped', '{field} is not supported by {dialect}; it was omitted.'],
  'model-setting': ['loss', 'dropped', '{field} is not supported by this model of {host}; it was omitted.'],
  'model-tool-choice': [
    'loss',
    'downgraded',
    '{field} was changed to auto: this model of {host} cannot be forced to call a tool.',
  ],
  'model-thinking': [
    'loss',
    'downgraded',
    '{field} was replaced by the nearest setting that this model of {dialect} supports.',
  ],
  'model-effort': [
    'note',
    'downgraded',
    '{field} was replaced by the nearest effort that this model of {dialect} supports.',
  ],
  'model-prefill': [
    'note',
    'synthesized',
    'A user message was added after {field}: this model of {dialect} cannot continue an answer without one.',
  ],
  'default-max-tokens': ['note', 'synthesized', '{field} was set to a default: {dialect} requires it.'],
  'output-limit': ['note', 'downgraded', '{field} was raised to 16, the minimum of {dialect}.'],
  'stop-limit': ['loss', 'dropped', '{field} was omitted: {host} accepts fewer stop sequences.'],
  'temperature-range': ['loss', 'downgraded', '{field} was lowered to the maximum of {host}.'],
  'sampling-refused': ['loss', 'dropped', '{field} was omitted: this API version of {dialect} rejects it.'],
  'stream-disabled': ['note', 'synthesized', '{field} was set to false: {dialect} streams by default.'],

  'effort-approximated': [
    'note',
    'downgraded',
    '{field} was replaced by the nearest value that {dialect} supports.',
  ],
  'budget-range': [
    'note',
    'downgraded',
    '{field} was changed: {dialect} requires at least 1024 tokens and less than the output limit.',
  ],
  'thinking-enabled': [
    'note',
    'synthesized',
    '{field} was set: {dialect} requires it for a budget or visible reasoning.',
  ],
  'thinking-implied': [
    'note',
    'dropped',
    '{field} was omitted: an effort or a budget enables reasoning in {dialect}.',
  ],
  'summary-asked': [
    'note',
    'downgraded',
    '{field} was sent as a request for a summary, the only reasoning that {dialect} returns.',
  ],

  'text-output': ['note', 'dropped', '{field} was omitted: text is the default of {dialect}.'],
  'output-name': ['note', 'dropped', '{field} was omitted: {dialect} has no such field beside a schema.'],
  'output-named': ['note', 'synthesized', '{field} was added: {dialect} requires a name for a schema.'],
  'json-without-schema': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} supports JSON output only with a schema.',
  ],
  'output-schema-refused': [
    'loss',
    'dropped',
    '{field} was omitted: {dialect} accepts only strict schemas, and this one cannot be strict.',
  ],
  'output-schema-unknown': [
    'loss',
    'downgraded',
    '{field} was reduced to JSON without a schema: {host} does not support schemas.',
  ],
  'output-schema-made': [
    'note',
    'synthesized',
    'A schema that accepts every object was added to {field}: {host} requires a schema for JSON output.',
  ],

  'agent-no-tools': [
    'loss',
    'dropped',
    '{field} was omitted: the model of {dialect} does not support tools.',
  ],
} as const
