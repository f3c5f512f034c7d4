/** An answer of the API server that is not a success: a `Status` of the metav1 API. */
export class StatusError extends Error {
  constructor(
    /** The HTTP status code. */
    readonly code: number,
    /** `NotFound`, `Conflict`, `Invalid`, … */
    readonly reason: string,
    message: string,
    /** Seconds the server asks to wait. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = "StatusError";
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof StatusError && error.code === 404;
}
