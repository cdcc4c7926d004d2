import { applyDecorators, Controller, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { AdminAccessGuard } from './admin-access.guard.js';
import { ProblemFilter } from './refusal.filter.js';
import { RequestBudgetGuard } from './request-budget.guard.js';

/** A controller of the API: guarded, with problems for errors, at the same place whichever way the application versions its routes. */
export function ApiController(noun: string): ClassDecorator {
  return applyDecorators(
    Controller({ path: `api/v1/${noun}`, version: VERSION_NEUTRAL }),
    UseGuards(AdminAccessGuard, RequestBudgetGuard),
    UseFilters(ProblemFilter),
  );
}
