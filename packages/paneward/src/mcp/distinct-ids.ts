import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from "@modelcontextprotocol/server";
import { RequestsUnderWay } from "./requests-under-way.ts";

/** A transport that refuses a request whose id another one, still under way, has. */
export class DistinctIds implements Transport {
  onmessage?: (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly #wire: Transport;
  readonly #underWay = new RequestsUnderWay();

  constructor(wire: Transport) {
    this.#wire = wire;
    wire.onmessage = (message, extra) => {
      const refusal = this.#underWay.begin([message]);
      if (refusal) {
        wire.send(refusal).catch((error) => this.onerror?.(error));
        return;
      }
      this.onmessage?.(message, extra);
      this.#underWay.cancelled([message]);
    };
    wire.onclose = () => this.onclose?.();
    wire.onerror = (error) => this.onerror?.(error);
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#underWay.sent(message);
    return this.#wire.send(message, options);
  }

  setProtocolVersion(version: string): void {
    this.#wire.setProtocolVersion?.(version);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }
}
