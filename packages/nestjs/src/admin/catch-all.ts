import { Controller, type Type, VERSION_NEUTRAL } from '@nestjs/common';

/**
 * Gives a controller the path `below` and everything under it. The two frameworks write "everything" differently, and which of them
 * serves is known only when the application starts: after the modules were declared, before their routes are mapped.
 */
export function placeCatchAll(controller: Type, below: string, framework: string): void {
  const everything = framework === 'fastify' ? '*' : '*path';
  Controller({ path: [below, `${below}/${everything}`], version: VERSION_NEUTRAL })(controller);
}
