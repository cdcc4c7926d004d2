import { type AdminRole, InvalidArgumentError } from '@holdfast/contract';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ADMIN_OPTIONS, type AdminIdentity, type HoldfastAdminOptions } from './admin-options.js';
import type { AdminRequest } from './admin-request.js';
import { comesFromThisMachine } from './loopback.js';
import { Refusal } from './refusal.js';

/** Each role holds the ones before it. */
const ROLES: readonly AdminRole[] = ['viewer', 'operator', 'admin'];
const ACTOR_BYTES_MAX = 255;
const LOCAL_DEVELOPER: AdminIdentity = { role: 'admin', actor: 'local developer' };

/** Says who may do what. Whatever it cannot establish it refuses. */
@Injectable()
export class AdminAccess implements OnModuleInit {
  readonly #options: HoldfastAdminOptions;
  readonly #logger = new Logger('HoldfastAdmin');
  readonly #admitted = new WeakMap<AdminRequest, AdminIdentity>();

  constructor(@Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions) {
    this.#options = options;
  }

  /** @throws InvalidArgumentError */
  onModuleInit(): void {
    const { path, authorize, allowLoopbackInDevelopment } = this.#options;
    if (typeof authorize === 'function') return;
    if (authorize !== undefined) {
      const wanted = 'a function, or absent: the dashboard is closed then';
      throw new InvalidArgumentError('authorize of HoldfastAdminModule', authorize, wanted);
    }
    const opened = allowLoopbackInDevelopment === true && !inProduction();
    this.#logger.warn(
      opened
        ? `The dashboard at ${path} is open to everyone on this machine, because authorize is not given.`
        : `The dashboard at ${path} is closed: ${closedBecause(this.#options)}`,
    );
  }

  /** Remembers who sent the request. @throws Refusal, and whatever `authorize` throws. */
  async admit(request: AdminRequest, needed: AdminRole): Promise<void> {
    const identity = await this.#identify(request);
    if (ROLES.indexOf(identity.role) < ROLES.indexOf(needed)) {
      throw new Refusal(403, 'ROLE_TOO_LOW', `This needs the role ${needed}; you have the role ${identity.role}.`);
    }
    this.#admitted.set(request, identity);
  }

  /** Who sent a request that was admitted. */
  identityOf(request: AdminRequest): AdminIdentity {
    const identity = this.#admitted.get(request);
    if (identity === undefined) throw new Error('A handler ran for a request that nobody admitted.');
    return identity;
  }

  async #identify(request: AdminRequest): Promise<AdminIdentity> {
    if (this.#options.authorize === undefined) return this.#identifyLocally(request);
    const { headers, ip } = request;
    const identity = await this.#options.authorize({ request, headers, ip });
    if (identity === null) throw new Refusal(403, 'ACCESS_DENIED', 'You may not use this dashboard.');
    return checked(identity);
  }

  #identifyLocally(request: AdminRequest): AdminIdentity {
    const { allowLoopbackInDevelopment } = this.#options;
    if (allowLoopbackInDevelopment === true && !inProduction() && comesFromThisMachine(request)) return LOCAL_DEVELOPER;
    throw new Refusal(403, 'ACCESS_CLOSED', closedBecause(this.#options));
  }
}

/** Only what was spelt out counts: a role that does not exist must not pass for the lowest one. */
function checked(identity: AdminIdentity): AdminIdentity {
  const { role, actor } = Object(identity) as Partial<AdminIdentity>;
  const actorBytes = typeof actor === 'string' ? Buffer.byteLength(actor) : 0;
  if (
    role !== undefined &&
    ROLES.includes(role) &&
    actor !== undefined &&
    actorBytes > 0 &&
    actorBytes <= ACTOR_BYTES_MAX
  ) {
    return { role, actor };
  }
  throw new TypeError(
    'authorize must answer null or { role, actor } with role viewer, operator or admin and an actor of 1 to 255 bytes.',
  );
}

function inProduction(): boolean {
  return process.env.NODE_ENV === 'production';
}

function closedBecause(options: HoldfastAdminOptions): string {
  if (options.allowLoopbackInDevelopment !== true) return 'HoldfastAdminModule was given no authorize function.';
  return inProduction()
    ? 'HoldfastAdminModule was given no authorize function, and allowLoopbackInDevelopment does not count with NODE_ENV=production.'
    : 'HoldfastAdminModule was given no authorize function, and this request does not come straight from the same machine.';
}
