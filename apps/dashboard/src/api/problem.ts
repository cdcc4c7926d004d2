import type { Problem } from '@holdfast/contract';
import { formatDuration } from '../format/time.js';

const LATE = 'ANSWER_LATE';
/** The store cannot do it, or has no room for it: nothing was done. */
const CERTAIN: readonly number[] = [501, 507];

/** An answer that is not the one hoped for: the server's problem details, or the lack of any answer (`status` 0). */
export class ApiProblem extends Error implements Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;

  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = 'ApiProblem';
    this.type = problem.type;
    this.title = problem.title;
    this.status = problem.status;
    this.detail = problem.detail;
    this.code = problem.code;
    this.requestId = problem.requestId;
  }

  /** Whether asking again at once may help. What was waited for long enough is told first. */
  get passing(): boolean {
    return (this.status === 0 || this.status >= 500) && this.code !== LATE;
  }

  /** Of an act: whether it may have been done all the same. No answer says nothing, and a server that failed may have failed behind it. */
  get undecided(): boolean {
    return this.status === 0 || (this.status >= 500 && !CERTAIN.includes(this.status));
  }

  /** Whether the server knows who asks and says no, or does not know. */
  get refused(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

export function isRefusal(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.refused;
}

/** Reads what the server sent with an error status; a proxy in between may have sent anything. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined);
  const fields = typeof body === 'object' && body !== null ? (body as Partial<Record<keyof Problem, unknown>>) : {};
  const text = (value: unknown, fallback: string) => (typeof value === 'string' && value !== '' ? value : fallback);
  return new ApiProblem({
    type: text(fields.type, 'about:blank'),
    title: text(fields.title, response.statusText || `Status ${response.status}`),
    status: response.status,
    detail: text(fields.detail, `The server answered ${response.status} without an explanation.`),
    code: text(fields.code, `HTTP_${response.status}`),
    requestId: text(fields.requestId, ''),
  });
}

/** The server could not be reached, or its answer broke off. */
export function unreachable(cause: unknown): ApiProblem {
  const problem = new ApiProblem({
    type: 'about:blank',
    title: 'No answer',
    status: 0,
    detail: 'The server did not answer. It may be restarting, or the network is down.',
    code: 'NO_ANSWER',
    requestId: '',
  });
  problem.cause = cause;
  return problem;
}

/** It was asked, and has not answered in all that time. */
export function late(waitedMs: number): ApiProblem {
  return new ApiProblem({
    type: 'about:blank',
    title: 'No answer in time',
    status: 0,
    detail: `The server has not answered within ${formatDuration(waitedMs)}. It may be overloaded, or something on the way to it holds answers back.`,
    code: LATE,
    requestId: '',
  });
}

/** Something else answered: most likely it wants to know anew who asks. */
export function signedOut(): ApiProblem {
  return new ApiProblem({
    type: 'about:blank',
    title: 'Sign in again',
    status: 401,
    detail: 'Something other than the dashboard answered, most likely a page to sign in. Load this page again.',
    code: 'SIGN_IN_AGAIN',
    requestId: '',
  });
}
