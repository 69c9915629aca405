/** Descriptions by field. */
type FieldDescriptions = { readonly [field: string]: string }

/** Descriptions of fields that mean the same in several definitions. */
const commonDescriptions: FieldDescriptions = {
  cache: 'Requests that the provider cache everything up to and including this part.',
  content: 'The parts, in order.',
  createdAt: 'Time of creation; preserved by every update.',
  detail: 'The level of detail: auto, low, high.',
  extra: 'Data of wire formats, by slot.',
  id: 'Unique id; preserved by every update.',
  kind: 'Discriminator.',
  mediaType: 'Such as image/png; present only if the source has no media type.',
  metadata: 'Data of the application; never sent.',
  name: 'The name of the author.',
  parentId: 'The id of the preceding message.',
  role: 'The role of the author.',
  signature: 'The token by which a vendor recognizes the part.',
  source: 'The source of the bytes.',
  transcript: 'The transcript of the audio.',
  type: 'Discriminator.',
  usage: 'Token counts.',
}

/** Descriptions of the other fields, by the definition that contains them. */
const descriptionsByDefinition: { readonly [definition: string]: FieldDescriptions } = {
  AssistantMessage: {
    content: 'Text, reasoning and tool calls, in order.',
    finish: 'The reason why the model stopped.',
    origin: 'The wire format, provider and model of the message.',
  },
  AudioPart: {
    name: 'File name or title.',
  },
  Base64Source: {
    data: 'The bytes in base64.',
    mediaType: 'Such as image/png.',
  },
  CacheHint: {
    ttl: 'How long the cached prefix is kept.',
  },
  ChatRequest: {
    candidateCount: 'The number of candidates.',
    frequencyPenalty: 'Penalty for tokens by how often they have occurred.',
    logprobs: 'Requests log probabilities.',
    maxOutputTokens: 'The maximum number of output tokens.',
    messages: 'The conversation.',
    metadata: 'Labels that the provider stores with the request.',
    model: 'The name of the model.',
    output: 'The format of the output.',
    parallelToolCalls: 'True if the model may call several tools at once.',
    promptCacheKey: 'Groups requests with the same prefix.',
    presencePenalty: 'Penalty for tokens that have occurred.',
    reasoning: 'The reasoning of the model.',
    safetyIdentifier: 'A stable pseudonym of the end user.',
    seed: 'Seed for repeatable sampling.',
    serviceTier: 'The processing tier.',
    stop: 'Texts at which the model stops.',
    store: 'True to let the provider store the response.',
    stream: 'True to stream the response.',
    temperature: 'Sampling temperature.',
    toolChoice: 'The tools that the model may or must call.',
    tools: 'The tools that the model may call.',
    topK: 'The number of most likely tokens to sample from.',
    topP: 'Nucleus sampling: the probability mass of the tokens to sample from.',
    user: 'The end user for whom the request is made.',
    verbosity: 'How long answers are.',
  },
  ChatResponse: {
    candidates: 'One message per candidate.',
    createdAt: 'Time of creation.',
    id: 'The id of the response at the provider.',
    model: 'The model that responded.',
  },
  CitedRange: {
    end: 'The end, excluded.',
    start: 'The start, counted from 0.',
    unit: 'The unit of start and end.',
  },
  FilePart: {
    name: 'File name or title.',
  },
  Finish: {
    raw: 'The reason in the terms of the provider.',
    reason: 'The reason why the model stopped.',
    stopSequence: 'The stop sequence that ended the text.',
  },
  FunctionTool: {
    cache: 'Requests that the provider cache everything up to and including this tool.',
    description: 'The purpose of the tool, for the model.',
    input: 'JSON Schema of the arguments.',
    name: 'The name of the tool, for the model.',
    namespace: 'The group of the tool.',
    strict: 'True if the arguments must follow the schema exactly.',
    textInput: 'The tool receives text instead of JSON arguments.',
  },
  IdSource: {
    id: 'The id of the file at the provider.',
    provider: 'The provider that stores the file.',
  },
  ImagePart: {
    name: 'File name or title.',
  },
  JsonPart: {
    value: 'The data.',
  },
  LogprobSettings: {
    top: 'The number of alternatives for each token.',
  },
  MessageStore: {
    parameters: 'The parameters.',
    sections: 'The sections, in order.',
  },
  OpaqueCitation: {
    dialect: 'The wire format of the citation.',
    value: 'The citation as that format writes it.',
  },
  OpaquePart: {
    dialect: 'The wire format of the block.',
    value: 'The block as that format writes it.',
  },
  OpaqueTool: {
    dialect: 'The wire format of the tool.',
    value: 'The tool as that format writes it.',
  },
  Origin: {
    dialect: 'The wire format of the response.',
    model: 'The model.',
    provider: 'The provider.',
    responseId: 'The id of the response at the provider.',
    storedDigest: 'Digest of the conversation that the provider has stored with the response.',
  },
  OutputFormat: {
    description: 'What the output is for.',
    name: 'Name of the schema.',
    schema: 'JSON Schema of the output.',
    strict: 'True if the output must follow the schema exactly.',
    type: 'Text or JSON.',
  },
  ProviderTool: {
    cache: 'Requests that the provider cache everything up to and including this tool.',
    name: 'The name of the tool at the provider.',
    options: 'The settings of the tool.',
    provider: 'The provider that runs the tool.',
  },
  ReasoningPart: {
    redacted: 'The provider hid the reasoning.',
    summary: 'The text is a summary.',
    text: 'The readable text; empty if the provider shows none.',
  },
  ReasoningSettings: {
    budgetTokens: 'The maximum number of reasoning tokens.',
    effort: 'The amount of reasoning.',
    enabled: 'True to enable reasoning.',
    include: 'True to return readable reasoning.',
    summary: 'The form of the reasoning summary.',
  },
  RefusalPart: {
    text: 'The text of the refusal.',
  },
  Section: {
    messages: 'The messages of the section.',
    name: 'Name of the section.',
  },
  Signature: {
    contentDigest: 'Digest of the content that the token authenticates.',
    value: 'The token.',
    vendor: 'The vendor that made the token and can verify it.',
  },
  SourceCitation: {
    document: 'The index of the cited document in the request, counted from 0.',
    end: 'End of the supported range of text, excluded.',
    fileId: 'Id of the cited file at its provider.',
    location: 'The cited range of the source.',
    quote: 'The cited text of the source.',
    start: 'Start of the supported range of text, in UTF-16 code units.',
    title: 'Title of the source.',
    url: 'URL of the source.',
  },
  TextPart: {
    citations: 'The sources of its statements.',
    text: 'The text.',
  },
  TextSource: {
    text: 'The text itself.',
  },
  ToolCallPart: {
    arguments: 'The parsed arguments; absent exactly if invalidArguments is present.',
    executedBy: 'The provider executes the tool.',
    id: 'The id that the result refers to.',
    invalidArguments: 'The text that the provider sent, if it is not a JSON object.',
    name: 'Name of the tool.',
    rawArguments: 'The text that the provider sent, if encoding the arguments would change it.',
  },
  ToolChoiceAllowed: {
    allowed: 'The tools that may be called.',
    mode: 'auto: the model may call one of them. required: it must.',
  },
  ToolChoiceName: {
    name: 'The tool that must be called.',
  },
  ToolGrammar: {
    definition: 'The grammar.',
    syntax: 'The language of the grammar.',
  },
  ToolMessage: {
    content: 'One part per tool call.',
  },
  ToolNamespace: {
    description: 'The purpose of the group, for the model.',
    name: 'The name of the group.',
  },
  ToolResultPart: {
    callId: 'The id of the tool call.',
    content: 'The output of the tool.',
    isError: 'The tool failed.',
    name: 'Name of the tool.',
  },
  ToolTextInput: {
    grammar: 'The grammar that the text must match.',
  },
  UrlSource: {
    url: 'URL of the bytes.',
  },
  Usage: {
    cacheWriteTokens: 'Input tokens that were written to a cache.',
    cachedInputTokens: 'Input tokens that were read from a cache.',
    inputTokens: 'Input tokens, including cached ones.',
    outputTokens: 'Output tokens, including reasoning.',
    reasoningTokens: 'Output tokens of reasoning.',
    totalTokens: 'Input and output tokens.',
  },
  VideoPart: {
    name: 'File name or title.',
  },
}

/**
 * Returns the description of a field of the stored form, for `storedSchema`. The shapes do not contain descriptions, so that a
 * bundle that only reads values is smaller.
 */
export function getFieldDescription(definition: string, field: string): string | undefined {
  return descriptionsByDefinition[definition]?.[field] ?? commonDescriptions[field]
}
