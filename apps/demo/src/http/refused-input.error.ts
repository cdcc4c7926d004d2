import { HttpException, HttpStatus } from '@nestjs/common';

export interface FieldProblem {
  /** As in the JSON that was sent: `items[0].sku`, or `body` for the whole. */
  readonly field: string;
  readonly problem: string;
}

/** More would help nobody who reads the answer. */
const FIELD_PROBLEMS_MAX = 20;

/** What was sent cannot be used. Nothing was stored. */
export class RefusedInputError extends HttpException {
  readonly fields: readonly FieldProblem[];

  constructor(fields: readonly FieldProblem[]) {
    super(fields.map(({ field, problem }) => `${field} ${problem}`).join('; '), HttpStatus.BAD_REQUEST);
    this.fields = fields.slice(0, FIELD_PROBLEMS_MAX);
  }
}
