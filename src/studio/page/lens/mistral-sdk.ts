import { type FieldShape, objectShape, type SdkShape, toCamelCase, variantShape } from './sdk-fields.ts'

const text = objectShape('type text')
const reference = objectShape('type reference_ids')
const thought = variantShape('type', {
  text,
  reference,
  tool_reference: objectShape('type tool title url favicon description'),
})
const thinking = objectShape('type signature closed', { thinking: thought })

const chunk = variantShape('type', {
  text,
  reference,
  thinking,
  image_url: objectShape('type', { image_url: objectShape('url detail') }),
  document_url: objectShape('type document_url document_name'),
  file: objectShape('type file_id'),
  input_audio: objectShape('type input_audio'),
})

const call = objectShape('id type index', { function: objectShape('name arguments') })

const message = variantShape('role', {
  system: objectShape('role', { content: variantShape('type', { text, thinking }) }),
  user: objectShape('role', { content: chunk }),
  assistant: objectShape('role prefix', { content: chunk, tool_calls: call }),
  tool: objectShape('role tool_call_id name', { content: chunk }),
})

const configuration = { tool_configuration: objectShape('exclude include requires_confirmation') }

const tool = variantShape('type', {
  function: objectShape('type', { function: objectShape('name description strict parameters') }),
  web_search: objectShape('type', configuration),
  web_search_premium: objectShape('type', configuration),
  code_interpreter: objectShape('type', configuration),
  image_generation: objectShape('type', configuration),
  document_library: objectShape('type library_ids', configuration),
  connector: objectShape('type connector_id', {
    ...configuration,
    authorization: objectShape('type value'),
  }),
})

const hate = 'sexual hate_and_discrimination violence_and_threats'
const personal = 'selfharm health financial law pii'

const moderation = (categories: string): FieldShape =>
  objectShape('model_name ignore_other_categories action', {
    custom_category_thresholds: objectShape(categories),
  })

/** How `@mistralai/mistralai` reads the body of `chat.complete`: it removes fields that are not listed. */
export const mistralSdk: SdkShape = {
  sendsUnknown: false,
  // The client reserves `schema` for its own use.
  rename: (name) => (name === 'schema' ? 'schemaDefinition' : toCamelCase(name)),
  request: objectShape(
    'model temperature top_p max_tokens stop random_seed metadata presence_penalty frequency_penalty n parallel_tool_calls reasoning_effort prompt_mode prompt_cache_key service_tier safe_prompt',
    {
      messages: message,
      response_format: objectShape('type', {
        json_schema: objectShape('name description schema strict'),
      }),
      tools: tool,
      tool_choice: objectShape('type', { function: objectShape('name') }),
      prediction: objectShape('type content'),
      guardrails: objectShape('block_on_error', {
        moderation_llm_v1: moderation(`${hate} dangerous_and_criminal_content ${personal}`),
        moderation_llm_v2: moderation(`${hate} dangerous criminal ${personal} jailbreaking`),
      }),
    },
  ),
}
