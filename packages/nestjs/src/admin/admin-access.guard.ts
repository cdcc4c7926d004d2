import { type AdminRole, type JobStore, StoreReadOnlyError } from '@holdfast/contract';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { HOLDFAST_STORE } from '../holdfast.tokens.js';
import { AdminAccess } from './admin-access.js';
import type { AdminRequest } from './admin-request.js';
import { requireSameOrigin } from './same-origin.js';

/** The role that a route needs; viewer where nothing is said. */
export const NeedsRole = Reflector.createDecorator<AdminRole>();

const READING_METHODS = new Set(['GET', 'HEAD']);

/** Stands before every route of this module, after the guards of the application. */
@Injectable()
export class AdminAccessGuard implements CanActivate {
  readonly #access: AdminAccess;
  readonly #reflector: Reflector;
  readonly #store: JobStore;

  constructor(access: AdminAccess, reflector: Reflector, @Inject(HOLDFAST_STORE) store: JobStore) {
    this.#access = access;
    this.#reflector = reflector;
    this.#store = store;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AdminRequest>();
    const needed = this.#reflector.get(NeedsRole, context.getHandler()) ?? 'viewer';
    await this.#access.admit(request, needed);
    if (!READING_METHODS.has(request.method)) requireSameOrigin(request.headers);
    const { readOnly } = this.#store.capabilities;
    if (readOnly !== undefined && needed !== 'viewer') throw new StoreReadOnlyError(readOnly.because);
    return true;
  }
}
