// @ts-check

/**
 * Bodies of the provider by name, from its documentation and from recorded traffic. Include tool calls and their results,
 * images, reasoning, usage, and an answer that was cut off.
 *
 * @type {import('interlingua/dialects/testing').DialectSamples}
 */
export const samples = {
  requests: {
    // TODO: hello: { model: '…', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
  },
  responses: {
    // TODO: hello: { id: '…', content: [{ type: 'text', text: 'Hello!' }], finish_reason: 'stop' },
  },
  streams: {
    // TODO: hello: 'data: {"type":"start"}\n\ndata: …\n\n',
  },
}
