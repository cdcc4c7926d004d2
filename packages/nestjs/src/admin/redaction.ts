import type { Attempt, DeadGroup, JobDetail, JobError, JobRow, LeaseRow, Payload } from '@holdfast/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ADMIN_OPTIONS, type HoldfastAdminOptions } from './admin-options.js';
import { REDACTED, redactJson } from './redact-json.js';
import { Refusal } from './refusal.js';

/** Keys whose values nobody should read on a screen. */
const SECRET_KEY =
  /pass(word|wd|phrase|code)|^(pass|pwd|auth|jwt|pin|cvv|cvc|ssn|iban)$|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authori[sz]ation|cookie|credential|session[-_]?id|card[-_]?number/i;
/** The same in running text: `password=…`, `"token": "…"`, `\"token\":\"…\"` as JSON within JSON has it, `Bearer …`. */
const SECRET_IN_TEXT =
  /((?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authori[sz]ation|cookie)\\{0,8}["']?\s{0,3}[:=]\s{0,3})(\\{0,8}"[^"]*"|'[^']*'|(?:Bearer|Basic)\s[^\s,;&]+|[^\s,;&"']+)/gi;
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g;
/** `https://user:password@host` */
const URL_PASSWORD = /(\/\/[^\s:/@]{1,100}:)[^\s/@]{1,200}(?=@)/g;

/** Names of which is remembered whether they look like a secret. */
const NAMES_MAX = 10_000;
const NAME_LENGTH_MAX = 100;

type JobTexts = Pick<JobDetail, 'payload' | 'result' | 'headers' | 'progress' | 'attemptLog' | 'lastError'>;

/** A job as it may be shown, and whether anything was taken out of payload or result. */
export interface RedactedJob {
  readonly job: JobDetail;
  readonly payloadRedacted: boolean;
  readonly resultRedacted: boolean;
}

/** Takes out of everything that is shown what looks like a secret, or stands where the application says that one does. */
@Injectable()
export class Redaction {
  readonly #options: HoldfastAdminOptions;
  readonly #paths: readonly (readonly string[])[];
  readonly #names = new Map<string, boolean>();

  constructor(@Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions) {
    this.#options = options;
    this.#paths = (options.redactPaths ?? []).map((path) => path.split('.'));
  }

  /** Whether what stands there is not shown: then it cannot be searched either. */
  hides(path: string): boolean {
    const names = path.split('.');
    return names.some((_, index) => this.#isSecret(names.slice(0, index + 1)));
  }

  job(given: JobDetail): RedactedJob {
    const { redact } = this.#options;
    const job = redact === undefined ? given : redact(given);
    const payload = this.#payload(job.payload);
    const result = job.result === undefined ? undefined : this.#payload(job.result);
    const texts: JobTexts = {
      payload: payload.value,
      ...(result === undefined ? {} : { result: result.value }),
      ...(job.headers === undefined ? {} : { headers: this.#headers(job.headers) }),
      ...this.#progress(job),
      attemptLog: job.attemptLog.map((attempt) => this.#attempt(attempt)),
    };
    return {
      job: { ...this.row(job), ...texts },
      payloadRedacted: payload.redacted,
      resultRedacted: result?.redacted ?? false,
    };
  }

  row<Row extends JobRow>(row: Row): Row {
    return row.lastError === undefined ? row : { ...row, lastError: this.#error(row.lastError) };
  }

  lease(lease: LeaseRow): LeaseRow {
    return { ...lease, ...this.#progress(lease) };
  }

  group(group: DeadGroup): DeadGroup {
    return { ...group, message: this.text(group.message) };
  }

  text(text: string): string {
    if (this.#options.redactByDefault === false) return text;
    return text
      .replace(SECRET_IN_TEXT, `$1${REDACTED}`)
      .replace(BEARER, `$1 ${REDACTED}`)
      .replace(URL_PASSWORD, `$1${REDACTED}`);
  }

  #payload(payload: Payload): { readonly value: Payload; readonly redacted: boolean } {
    if (typeof payload !== 'string') return { value: payload, redacted: false };
    const json = redactJson(payload, (path) => this.#isSecret(path));
    if (json !== undefined) return { value: json.text, redacted: json.redacted };
    const value = this.text(payload);
    return { value, redacted: value !== payload };
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, this.#isSecret([name]) ? REDACTED : value]),
    );
  }

  #attempt(attempt: Attempt): Attempt {
    const { error, lines } = attempt;
    return {
      ...attempt,
      ...this.#progress(attempt),
      ...(error === undefined ? {} : { error: this.#error(error) }),
      ...(lines === undefined ? {} : { lines: lines.map((line) => ({ ...line, text: this.text(line.text) })) }),
    };
  }

  /** JSON, as a payload mostly is. */
  #progress({ progress }: { readonly progress?: string }): { readonly progress?: string } {
    return progress === undefined ? {} : { progress: String(this.#payload(progress).value) };
  }

  #error<Kind extends Pick<JobError, 'message' | 'stack'>>(error: Kind): Kind {
    const { message, stack } = error;
    return { ...error, message: this.text(message), ...(stack === undefined ? {} : { stack: this.text(stack) }) };
  }

  #isSecret(path: readonly string[]): boolean {
    if (this.#options.redactByDefault !== false && this.#isSecretName(path.at(-1) ?? '')) return true;
    return this.#paths.some(
      (hidden) => hidden.length === path.length && hidden.every((name, index) => name === '*' || name === path[index]),
    );
  }

  /** A large payload has the same few names thousands of times. */
  #isSecretName(name: string): boolean {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const isSecret = SECRET_KEY.test(name);
    if (this.#names.size === NAMES_MAX) this.#names.clear();
    if (name.length <= NAME_LENGTH_MAX) this.#names.set(name, isSecret);
    return isSecret;
  }
}

/** A search would tell what is not shown. @throws Refusal */
export function refuseHidden(redaction: Redaction, path: string, field: string): void {
  if (!redaction.hides(path)) return;
  throw new Refusal(400, 'FIELD_REDACTED', `${field} leads to what is not shown, so it is not searched either.`, field);
}
