// One server's address and what every request to it carries. Knows nothing of what is asked.

export interface ServerAddress {
  /** Up to and including `/v1`, without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key?: ServerKey;
  readonly limits: ServerLimits;
}

export interface ServerKey {
  /** The environment variable it was read from, for messages. */
  readonly variable: string;
  readonly value: string;
}

/** Milliseconds. */
export interface ServerLimits {
  /** Until a generation's first answer, which may wait for a queue and a long prompt. */
  readonly first: number;
  /** Between two pieces of a generation. */
  readonly between: number;
  /** For questions that need no model. */
  readonly question: number;
}

export const defaultServerLimits: ServerLimits = { first: 600_000, between: 120_000, question: 10_000 };

/** The address of one of the server's own routes, which stand beside `/v1`. */
export function ownRoute({ url }: Pick<ServerAddress, "url">, path: string): string {
  return `${url.replace(/\/v1$/, "")}${path}`;
}
