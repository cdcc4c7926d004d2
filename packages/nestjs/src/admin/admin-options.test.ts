import { InvalidArgumentError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { HoldfastAdminModule } from './admin.module.js';
import { AdminAccess } from './admin-access.js';
import { type HoldfastAdminOptions, mountPath } from './admin-options.js';

it.each([
  ['/admin/queues', '/admin/queues'],
  ['admin/queues/', '/admin/queues'],
  ['/', ''],
])('mounts at %s', (path, mount) => {
  expect(mountPath(path)).toBe(mount);
});

it.each(['/admin queues', '/../etc', '/:id', '/a//b'])('refuses %s', (path) => {
  expect(() => mountPath(path)).toThrow(InvalidArgumentError);
});

it.each([null, 'admin', { role: 'admin' }])('refuses %j in place of a function that authorizes', (authorize) => {
  const given: unknown = authorize;
  const access = new AdminAccess({
    path: '/admin',
    authorize: given as NonNullable<HoldfastAdminOptions['authorize']>,
  });
  expect(() => access.onModuleInit()).toThrow(/^authorize of HoldfastAdminModule is .* must be a function/);
});

it('refuses options without a path, which would mount the dashboard at /undefined', () => {
  // What a program in plain JavaScript can pass.
  const options = {} as HoldfastAdminOptions;
  expect(() => HoldfastAdminModule.forRoot(options)).toThrow(
    'path of HoldfastAdminModule is undefined, but must be a path',
  );
});
