import type { ResidueFieldTable } from './residue-field-table.ts'

/** Fields of the messages of other libraries. Sources: the type definitions of the libraries. */
export const formatResidueFields: ResidueFieldTable = {
  'ai-sdk-ui-messages': {
    formOnly: 'createdAt id preliminary sourceId state title toolName type',
    metadata:
      'annotations approval approval.* callProviderMetadata.* metadata providerMetadata.* resultProviderMetadata.* toolMetadata.*',
  },
  'ai-sdk-model-messages': { formOnly: 'output.type type' },
  dartantic: { formOnly: 'content.mimeType content.name type', metadata: 'finishStatus.* metadata.*' },
  // A line of a session file repeats fields of its message.
  'instructor-php': {
    formOnly:
      'createdAt data.createdAt data.id data.parentId id parentId section timestamp tool_result.tool_name type data.tool_result.tool_name',
    metadata: '_metadata data._metadata',
    defaults: { 'tool_result.is_error': [false], 'data.tool_result.is_error': [false] },
  },
  'ag-ui-messages': { formOnly: 'id type', metadata: 'metadata metadata.* subagentRunId' },
  'openai-agents': {
    formOnly: 'id status type',
    metadata: 'caller caller.* namespace phase providerData providerData.*',
  },
  'pydantic-ai': {
    formOnly: 'id identifier kind part_kind timestamp tool_call_id tool_name',
    metadata:
      'conversation_id dynamic_ref force_download instructions metadata metadata.* model_name outcome provider_details provider_details.* provider_name provider_url run_id state tool_kind usage.* vendor_details.* vendor_metadata vendor_metadata.*',
  },
  mastra: {
    formOnly: 'id content.format',
    metadata: 'threadId resourceId type content.annotations content.parts.createdAt content.metadata.*',
  },
  // The columns of the database storages are positions and times of rows.
  laragent: {
    formOnly: 'created_at id message_created message_uuid position session_key tool_name type updated_at',
    metadata: 'extras.* metadata',
    defaults: { metadata: [[]] },
  },
  opentelemetry: { formOnly: 'id type' },
  mcp: { formOnly: 'type', metadata: '_meta _meta.* annotations annotations.* resource._meta.* size icons' },
  pi: {
    formOnly: 'timestamp',
    metadata:
      'api customType details details.* display durationMs endTurn errorMessage fromId nestedCalls nestedCalls.* provider providerThinkingLevel rawStopReason responseModel stopReason thinkingLevel tokensBefore toolsAdded toolsRemoved usage usage.*',
  },
  'llm-msg-io': { formOnly: 'call_id id role' },
  // The definition of a tool is repeated with each of its calls and results.
  'neuron-ai': {
    formOnly: 'description inputs inputs.* parameters.* role type',
    metadata: 'citations meta.* stop_reason',
  },
  // `example` is a field of old versions; the artifact of a result is for the application, not for the model.
  langchain: {
    formOnly:
      'data.example data.id data.type example id index kwargs.example kwargs.id kwargs.type lc type data.additional_kwargs.tool_calls kwargs.additional_kwargs.tool_calls additional_kwargs.tool_calls',
    metadata:
      'artifact artifact.* data.artifact data.artifact.* data.response_metadata.* data.usage_metadata.* error kwargs.artifact kwargs.artifact.* kwargs.response_metadata.* kwargs.usage_metadata.* response_metadata.* usage_metadata.*',
    defaults: { 'data.status': ['success'], 'kwargs.status': ['success'], status: ['success'] },
  },
}
