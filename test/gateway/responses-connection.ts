import { expect } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { eventSchema, type ResponseBody, type StreamEvent } from './open-responses-schema.ts'

/** A connection in the WebSocket mode of Open Responses. A turn ends with its last event or an error. */
export class Connection {
  readonly socket: WebSocket
  readonly #frames: string[] = []
  #wake = (): void => {}

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, options)
  }

  async open(): Promise<this> {
    this.socket.on('message', (data) => {
      this.#frames.push((data as Buffer).toString())
      this.#wake()
    })
    await new Promise((resolve, reject) => this.socket.once('open', resolve).once('error', reject))
    return this
  }

  /** Returns the next frame of the server. */
  async next(): Promise<unknown> {
    while (this.#frames.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return JSON.parse(this.#frames.shift() ?? '')
  }

  send(body: object): void {
    this.socket.send(JSON.stringify({ type: 'response.create', ...body }))
  }

  async turn(body: object): Promise<ResponseBody> {
    this.send(body)
    for (;;) {
      const event: StreamEvent = eventSchema.parse(await this.next())
      if (event.type === 'error') throw new Error(JSON.stringify(event))
      if (event.type === 'response.completed' && event.response) return event.response
    }
  }

  /** Sends a turn that fails, and returns the code of its error. */
  async fail(body: object): Promise<unknown> {
    this.send(body)
    const frame = (await this.next()) as { type: string; status: number; error: { code: unknown } }
    expect([frame.type, frame.status]).toEqual(['error', 400])
    return frame.error.code
  }

  async close(): Promise<void> {
    this.socket.close()
    await new Promise((resolve) => this.socket.once('close', resolve))
  }
}
