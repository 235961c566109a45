/** Where an agent that Paneward started answers HTTP on loopback, and the name and password that it asks for. */
export interface ServerAddress {
  readonly port: number;
  readonly user: string;
  /** Undefined when it was started without one. */
  readonly password: string | undefined;
}

/** An address, and the process in or below which its listener must run. */
export interface ServerPlace extends ServerAddress {
  readonly pid: number;
}

export interface ServerRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

export type ServerSaid =
  | { readonly kind: "said"; readonly status: number; readonly body: unknown }
  /** Nothing was sent. */
  | { readonly kind: "unreached"; readonly reason: string }
  /** It may have been sent; its outcome is unknown. */
  | { readonly kind: "unknown"; readonly reason: string };
