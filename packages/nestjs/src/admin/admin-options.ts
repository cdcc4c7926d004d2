import type { IncomingHttpHeaders } from 'node:http';
import { type AdminRole, InvalidArgumentError, type JobDetail, type MetaAnswer } from '@holdfast/contract';
import type { InjectionToken, ModuleMetadata, OptionalFactoryDependency } from '@nestjs/common';

/** Injects the options of one mounted dashboard. */
export const ADMIN_OPTIONS = 'HOLDFAST_ADMIN_OPTIONS';

/** What `authorize` decides by. `request` is the framework's own, with whatever the application's guards put on it. */
export interface AdminContext<Request = unknown> {
  readonly request: Request;
  readonly headers: IncomingHttpHeaders;
  /** As the application's trust-proxy setting sees it. */
  readonly ip: string | undefined;
}

/** Who acts. `actor` (1 to 255 bytes of UTF-8) is recorded with every act. */
export interface AdminIdentity {
  readonly role: AdminRole;
  readonly actor: string;
}

export type AdminEnvironment = NonNullable<MetaAnswer['environment']>;

/** Everything but the path: what a factory of `forRootAsync` gives. */
export interface HoldfastAdminSettings {
  /**
   * Asked for every request to the page, its files and the API. `null` refuses with 403, a Nest `HttpException` with its own status.
   * Without it everything answers 403.
   */
  authorize?(context: AdminContext): AdminIdentity | null | Promise<AdminIdentity | null>;
  /** Without `authorize`: admits requests of this very machine as admin. Ignored with NODE_ENV=production. */
  readonly allowLoopbackInDevelopment?: boolean;
  /** A badge in the dashboard, so that nobody takes production for a playground. */
  readonly environment?: AdminEnvironment;
  /**
   * Allows admins to enqueue a copy of a job, with another payload if they want one ("edit and retry"). Default: false, because a payload
   * from the dashboard has passed none of the application's checks.
   */
  readonly allowClone?: boolean;
  /** How long a bulk removal waits before it begins; until then it can be aborted with nothing lost. Default 10 s, at most an hour. */
  readonly undoWindowMs?: number;
  /**
   * Values under keys that look like secrets (`password`, `token`, `authorization`, …) are not shown. Default: true. Holds for payloads and
   * results that are JSON, headers, and `key=value` in error texts.
   */
  readonly redactByDefault?: boolean;
  /** Further places in payloads and results that are not shown: `user.email`, `lines.*.card`. */
  readonly redactPaths?: readonly string[];
  /** Gives the copy of a job that its detail page may show. If it throws, nothing of the job is sent. */
  redact?(job: JobDetail): JobDetail;
}

export interface HoldfastAdminOptions extends HoldfastAdminSettings {
  /** Where the dashboard is mounted, below the global prefix: `/admin/queues`. */
  readonly path: string;
}

export interface HoldfastAdminAsyncOptions<Injected extends unknown[] = unknown[]> {
  /** As in `HoldfastAdminOptions`; Nest maps routes before a factory runs. */
  readonly path: string;
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  /** Is given what `inject` names, in that order. */
  useFactory(...injected: Injected): HoldfastAdminSettings | Promise<HoldfastAdminSettings>;
}

const UNDO_WINDOW_MS_DEFAULT = 10_000;
const UNDO_WINDOW_MS_MAX = 3_600_000;

export function undoWindowMs({ undoWindowMs: given = UNDO_WINDOW_MS_DEFAULT }: HoldfastAdminSettings): number {
  return Math.min(UNDO_WINDOW_MS_MAX, Math.max(0, given));
}

const MOUNT_PATH = /^(\/[\w.~-]+)*$/;

/** The path with one leading and no trailing slash; empty for the root. @throws InvalidArgumentError */
export function mountPath(path: string): string {
  const mount = `/${path}`.replace(/^\/+/, '/').replace(/\/+$/, '');
  if (typeof path !== 'string' || !MOUNT_PATH.test(mount) || /\/\.{1,2}(\/|$)/.test(mount)) {
    throw new InvalidArgumentError(
      'path of HoldfastAdminModule',
      path,
      'a path of letters, digits, ".", "_", "~" and "-", such as /admin/queues',
    );
  }
  return mount;
}
