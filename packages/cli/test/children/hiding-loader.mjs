/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('@holdfast/store-postgres')) return next(specifier, context);
  throw Object.assign(new Error(`Cannot find package ${specifier}`), { code: 'ERR_MODULE_NOT_FOUND' });
}
