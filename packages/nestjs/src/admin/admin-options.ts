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
