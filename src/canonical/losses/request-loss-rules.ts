/** Loss rules of request settings, of models and of hosts. */
export const settingLossRules = {
  loss: {
    dropped: {
      'no-field': '{field} is not supported by {dialect}; it was omitted.',
      'model-setting': '{field} is not supported by this model of {host}; it was omitted.',
      'chat-tools-refused':
        '{field} was omitted: this model of {host} accepts tools in the Responses API only.',
      'output-beside-tools':
        '{field} was omitted: this model of {host} does not support it together with tools.',
      'output-beside-documents':
        '{field} was omitted: {dialect} does not support it together with documents.',
      'host-setting': '{field} is a setting of another host that {host} rejects; it was omitted.',
      'stop-limit': '{field} was omitted: {host} accepts fewer stop sequences.',
      'metadata-limit':
        '{field} was omitted: {host} limits the number, the length and the characters of metadata.',
      'sampling-refused': '{field} was omitted: this API version of {dialect} rejects it.',
      'json-without-schema': '{field} was omitted: {dialect} supports JSON output only with a schema.',
      'output-schema-refused':
        '{field} was omitted: {dialect} accepts only strict schemas, and this one cannot be strict.',
    },
    downgraded: {
      'model-tool-choice':
        '{field} was changed to auto: this model of {host} cannot be forced to call a tool.',
      'chat-tools-effort':
        '{field} was changed to none: this model of {host} accepts tools and reasoning together in the Responses API only.',
      'model-output-schema':
        '{field} was reduced to JSON without a schema: this model of {host} does not support schemas.',
      'model-strict': '{field} was omitted: this model of {host} does not bind arguments to a schema.',
      'model-thinking': '{field} was replaced by the nearest setting that this model of {dialect} supports.',
      'temperature-range': '{field} was lowered to the maximum of {host}.',
      'setting-range': '{field} was changed to the nearest value that {host} accepts.',
      'output-schema-object':
        '{field} was reduced to JSON without a schema: {dialect} accepts only schemas of objects.',
      'output-schema-optional':
        '{field} was reduced to JSON without a schema: {dialect} requires a required property in each object.',
      'output-schema-unknown':
        '{field} was reduced to JSON without a schema: {host} does not support schemas.',
    },
    synthesized: {
      'guessed-max-tokens':
        '{field} was set to an assumed limit: {dialect} requires it, and the limit of this model is unknown; pass the setting.',
    },
  },
  note: {
    dropped: {
      'reasoning-ineffective': '{field} was omitted: it has no effect on this request to {dialect}.',
      'output-enforced': '{field} was omitted: {dialect} enforces every schema.',
      'output-name': '{field} was omitted: {dialect} has no such field beside a schema.',
    },
    downgraded: {
      'model-name':
        '{field} was sent unchanged: it is the name of another vendor, which {host} may not know; pass the option model.',
      'model-effort': '{field} was replaced by the nearest effort that this model of {dialect} supports.',
      'model-output-limit': '{field} was lowered to the most that this model of {host} accepts.',
      'model-budget': '{field} was replaced by the nearest budget that this model of {dialect} accepts.',
      'budget-as-effort':
        '{field} was sent as the effort of the same size: this model of {dialect} has no budget.',
      'reasoning-as-budget':
        '{field} was sent as a token budget, the only reasoning setting of this model of {dialect}.',
      'summary-shown':
        '{field} was sent as a request for readable reasoning: {dialect} has no kinds of summaries.',
      'output-limit': '{field} was raised to the minimum of {dialect}.',
      'effort-approximated': '{field} was replaced by the nearest value that {dialect} supports.',
      'budget-range':
        '{field} was changed: {dialect} requires at least 1024 tokens and less than the output limit.',
      'summary-asked':
        '{field} was sent as a request for a summary, the only reasoning that {dialect} returns.',
    },
    renamed: {
      'user-digest':
        '{field} was replaced by a digest of it: {host} restricts the length and characters of ids.',
    },
    moved: {
      'output-described': '{field} was moved to the schema: {dialect} has no description beside a schema.',
    },
    synthesized: {
      'model-prefill':
        'A user message was added after {field}: this model of {dialect} rejects a conversation that ends with an answer.',
      'default-max-tokens': '{field} was set to the limit of the model: {dialect} requires it.',
      'thinking-enabled': '{field} was set: {dialect} requires it for a budget or visible reasoning.',
      'output-named': '{field} was added: {dialect} requires a name for a schema.',
      'output-schema-made':
        'A schema that accepts every object was added to {field}: {host} requires a schema for JSON output.',
    },
  },
} as const

/** Loss rules of tools, tool calls and tool results. */
export const toolLossRules = {
  loss: {
    dropped: {
      'result-form': '{field} was omitted: {dialect} has no field for it in a result of this tool.',
      'redeclared-tool':
        '{field} was omitted: {dialect} requires unique names of tools, and a later tool has the same name.',
      'hosted-tool-repeated':
        '{field} was omitted: {dialect} has another tool of the request in its place, or one with its name.',
      'foreign-tool': '{field} is a tool that another provider than {dialect} runs; it was omitted.',
      'dropped-provider-call': '{field} was omitted: another provider than {dialect} executed this call.',
    },
    downgraded: {
      'orphan-result': '{field} was sent as text: {dialect} rejects a result without its call.',
      'duplicate-result': '{field} was sent as text: {dialect} accepts one result for a call.',
      'foreign-provider-call':
        '{field} was replaced by a text description: another provider than {dialect} executed this call.',
      'invalid-arguments':
        '{field} was wrapped in an object: {dialect} requires an object, and the text is not valid JSON.',
      'rounded-number':
        'An integer in {field} was rounded for {dialect}: a JavaScript number cannot hold all of its digits.',
    },
  },
  note: {
    dropped: {
      'result-name':
        'The tool name of {field} was omitted: {dialect} identifies a result by its call id, and the call has another name.',
      'text-input':
        '{field} was omitted: the tool also has an input schema, so {dialect} receives a function.',
      'choice-without-tools': '{field} was omitted: {dialect} accepts it only together with tools.',
      'tools-withheld':
        '{field} was applied by omitting the other tools: {host} does not support this choice.',
    },
    downgraded: {
      'custom-as-function':
        '{field} was sent as a function with one text argument: {host} has no custom tools.',
      'tool-namespace':
        'The namespace of {field} was sent in its name and description: {dialect} has no namespaces of tools.',
      'allowed-tools':
        '{field} was applied by changing the tools or the mode of the choice: {dialect} has no list of allowed tools.',
    },
    moved: {
      'misplaced-result':
        '{field} was moved to a tool message: {dialect} accepts results of local tools in no other message.',
      'results-reordered': '{field} was moved: {dialect} has no call ids and matches results by their order.',
      'late-result':
        '{field} was moved after the tool results: {dialect} requires results to follow their calls immediately.',
    },
    renamed: {
      'duplicate-call-id': 'The id of {field} was changed: {dialect} requires a unique id for every call.',
      'hosted-tool': '{field} was sent as the counterpart that {dialect} hosts.',
      'id-changed': '{field} was changed: {dialect} restricts the characters and length of ids.',
      'property-keys':
        'Property keys of {field} were changed: {dialect} restricts their characters and length. Decoded calls have the original keys.',
      'argument-keys':
        'Keys of {field} were changed like those of the tool schema: {dialect} restricts their characters and length.',
      'name-changed': '{field} was changed: {dialect} restricts the characters and length of tool names.',
    },
    synthesized: {
      'orphan-call':
        'A result was added for {field}: {dialect} requires one for every call, and the call has none.',
      'result-named': 'A tool name was added to {field}: {dialect} requires one, and the call is missing.',
      'empty-error-result': 'A text was added to {field}: {dialect} requires content in an error result.',
      'called-tools':
        'Declarations of called tools were added to {field}: {dialect} requires them for the calls of the conversation.',
      'choice-synthesized':
        '{field} was added: {dialect} has the setting for parallel calls in the tool choice.',
    },
  },
} as const
