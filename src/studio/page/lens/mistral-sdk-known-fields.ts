import {
  type SdkFieldShape,
  sdkObject,
  type SdkKnownFields,
  toCamelCase,
  sdkVariant,
} from './to-sdk-input.ts'

const text = sdkObject('type text')
const reference = sdkObject('type reference_ids')
const thought = sdkVariant('type', {
  text,
  reference,
  tool_reference: sdkObject('type tool title url favicon description'),
})
const thinking = sdkObject('type signature closed', { thinking: thought })

const chunk = sdkVariant('type', {
  text,
  reference,
  thinking,
  image_url: sdkObject('type', { image_url: sdkObject('url detail') }),
  document_url: sdkObject('type document_url document_name'),
  file: sdkObject('type file_id'),
  input_audio: sdkObject('type input_audio'),
})

const call = sdkObject('id type index', { function: sdkObject('name arguments') })

const message = sdkVariant('role', {
  system: sdkObject('role', { content: sdkVariant('type', { text, thinking }) }),
  user: sdkObject('role', { content: chunk }),
  assistant: sdkObject('role prefix', { content: chunk, tool_calls: call }),
  tool: sdkObject('role tool_call_id name', { content: chunk }),
})

const configuration = { tool_configuration: sdkObject('exclude include requires_confirmation') }

const tool = sdkVariant('type', {
  function: sdkObject('type', { function: sdkObject('name description strict parameters') }),
  web_search: sdkObject('type', configuration),
  web_search_premium: sdkObject('type', configuration),
  code_interpreter: sdkObject('type', configuration),
  image_generation: sdkObject('type', configuration),
  document_library: sdkObject('type library_ids', configuration),
  connector: sdkObject('type connector_id', {
    ...configuration,
    authorization: sdkObject('type value'),
  }),
})

const hate = 'sexual hate_and_discrimination violence_and_threats'
const personal = 'selfharm health financial law pii'

const moderation = (categories: string): SdkFieldShape =>
  sdkObject('model_name ignore_other_categories action', {
    custom_category_thresholds: sdkObject(categories),
  })

/** How `@mistralai/mistralai` reads the body of `chat.complete`: it removes fields that are not listed. */
export const mistralSdkKnownFields: SdkKnownFields = {
  sendsUnknown: false,
  // The client reserves `schema` for its own use.
  rename: (name) => (name === 'schema' ? 'schemaDefinition' : toCamelCase(name)),
  request: sdkObject(
    'model temperature top_p max_tokens stop random_seed metadata presence_penalty frequency_penalty n parallel_tool_calls reasoning_effort prompt_mode prompt_cache_key service_tier safe_prompt',
    {
      messages: message,
      response_format: sdkObject('type', {
        json_schema: sdkObject('name description schema strict'),
      }),
      tools: tool,
      tool_choice: sdkObject('type', { function: sdkObject('name') }),
      prediction: sdkObject('type content'),
      guardrails: sdkObject('block_on_error', {
        moderation_llm_v1: moderation(`${hate} dangerous_and_criminal_content ${personal}`),
        moderation_llm_v2: moderation(`${hate} dangerous criminal ${personal} jailbreaking`),
      }),
    },
  ),
}
