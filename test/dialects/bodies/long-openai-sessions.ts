import type { JsonObject } from 'interlingua'
import { argumentsOf, fill, inputs, nameOf, names, schemaOf } from './session-steps.ts'

/** A session of Codex, with the Responses API. */
export const responses: JsonObject = {
  model: 'gpt-5-codex',
  instructions: 'You are a coding agent.',
  stream: true,
  store: false,
  background: false,
  truncation: 'disabled',
  service_tier: 'auto',
  temperature: 1,
  top_p: 1,
  top_logprobs: 0,
  metadata: {},
  parallel_tool_calls: true,
  tool_choice: 'auto',
  text: { format: { type: 'text' }, verbosity: 'medium' },
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'session',
  reasoning: { effort: 'medium', summary: 'auto' },
  tools: names.map((name) => ({
    type: 'function',
    name,
    description: `The tool ${name}.`,
    strict: false,
    parameters: schemaOf(...inputs[name]),
  })),
  input: fill(
    [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the test.' }] }],
    (step) => [
      {
        type: 'reasoning',
        id: `rs_${step}`,
        summary: [{ type: 'summary_text', text: `Step ${step} is next.` }],
        encrypted_content: `gAAA${step}`,
      },
      {
        type: 'message',
        id: `msg_${step}`,
        role: 'assistant',
        status: 'completed',
        phase: 'final_answer',
        content: [{ type: 'output_text', text: `Step ${step}.`, annotations: [], logprobs: [] }],
      },
      {
        type: 'function_call',
        id: `fc_${step}`,
        status: 'completed',
        call_id: `call_${step}`,
        name: nameOf(step),
        arguments: JSON.stringify(argumentsOf(step)),
      },
      {
        type: 'function_call_output',
        id: `fco_${step}`,
        status: 'completed',
        call_id: `call_${step}`,
        output: `out ${step}`,
      },
    ],
  ),
}

/** A session with the Chat Completions API. */
export const chat: JsonObject = {
  model: 'gpt-4.1',
  stream: true,
  stream_options: { include_usage: true },
  store: false,
  service_tier: 'auto',
  n: 1,
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  logprobs: false,
  logit_bias: {},
  modalities: ['text'],
  verbosity: 'medium',
  response_format: { type: 'text' },
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: names.map((name) => ({
    type: 'function',
    function: {
      name,
      description: `The tool ${name}.`,
      strict: false,
      parameters: schemaOf(...inputs[name]),
    },
  })),
  messages: fill([{ role: 'user', content: 'Fix the test.' }], (step) => [
    {
      role: 'assistant',
      content: step % 3 === 0 ? `Step ${step}.` : null,
      refusal: null,
      annotations: [],
      audio: null,
      function_call: null,
      tool_calls: [
        {
          id: `call_${step}`,
          index: 0,
          type: 'function',
          function: { name: nameOf(step), arguments: JSON.stringify(argumentsOf(step)) },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${step}`, name: nameOf(step), content: `out ${step}` },
  ]),
}
