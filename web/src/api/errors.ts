/** One wrong field of a 422 answer. `field` is the name in the request body. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
}

/**
 * An answer that is not a success, or no answer at all.
 * `code` is the stable upper-case code of the problem document; `NETWORK` when the server was not reached.
 */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly errors: FieldError[];
  /** Seconds to wait before another try (429, 503), when the server said so. */
  readonly retryAfterS: number | null;

  constructor(init: {
    code: string;
    status: number;
    message: string;
    requestId?: string | null;
    errors?: FieldError[];
    retryAfterS?: number | null;
  }) {
    super(init.message);
    this.name = 'ApiError';
    this.code = init.code;
    this.status = init.status;
    this.requestId = init.requestId ?? null;
    this.errors = init.errors ?? [];
    this.retryAfterS = init.retryAfterS ?? null;
  }
}

interface Problem {
  title?: string;
  detail?: string;
  code?: string;
  requestId?: string;
  errors?: FieldError[];
}

/** Reads a problem document (RFC 9457); anything else becomes code `HTTP_{status}`. */
export async function readProblem(response: Response): Promise<ApiError> {
  const wait = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  const problem: Problem = await response.json().catch(() => ({}));
  return new ApiError({
    code: problem.code ?? `HTTP_${response.status}`,
    status: response.status,
    message: problem.detail ?? problem.title ?? '',
    requestId: problem.requestId ?? response.headers.get('X-Request-Id'),
    errors: Array.isArray(problem.errors) ? problem.errors : [],
    retryAfterS: Number.isFinite(wait) ? wait : null,
  });
}

export const networkError = () => new ApiError({ code: 'NETWORK', status: 0, message: '' });
