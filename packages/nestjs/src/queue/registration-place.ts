import { type ModulesContainer } from '@nestjs/core';

/** The modules that import what brings this provider, for messages: `OrdersModule`, or `OrdersModule and MailModule`. */
export function placeOfProvider(modules: ModulesContainer, provided: unknown): string {
  const all = [...modules.values()];
  const homes = new Set(all.filter(({ providers }) => [...providers.values()].some(is(provided))));
  const importers = all.filter(({ imports }) => [...imports].some((imported) => homes.has(imported)));
  const names = importers.map(({ metatype }) => metatype.name);
  return names.join(' and ') || 'a module that nobody imports by name';
}

function is(provided: unknown): (wrapper: { readonly instance: unknown }) => boolean {
  return ({ instance }) => instance === provided;
}
