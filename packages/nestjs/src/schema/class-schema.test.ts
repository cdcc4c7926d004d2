import { Type } from 'class-transformer';
import { IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { describe, expect, it } from 'vitest';
import { classSchema } from './class-schema.js';

class Line {
  @IsString()
  product!: string;

  @IsInt()
  @Min(1)
  count!: number;
}

class Order {
  @IsString()
  id!: string;

  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  get pieces(): number {
    return this.lines.reduce((sum, { count }) => sum + count, 0);
  }
}

function validate(value: unknown, options?: Parameters<typeof classSchema>[1]) {
  return classSchema(Order, options)['~standard'].validate(value);
}

describe('classSchema', () => {
  it('makes instances, also of what is inside', async () => {
    const result = await validate({ id: 'o-1', lines: [{ product: 'tea', count: 2 }] });
    expect(result).toEqual({ value: expect.any(Order) });
    const order = 'value' in result ? result.value : expect.unreachable();
    expect(order.pieces).toBe(2);
    expect(order.lines[0]).toBeInstanceOf(Line);
  });

  it('names the path of every issue', async () => {
    const { issues } = await validate({ id: 7, lines: [{ product: 'tea', count: 0 }] });
    expect(issues).toMatchObject([
      { path: ['id'], message: 'id must be a string' },
      { path: ['lines', 0, 'count'], message: 'count must not be less than 1' },
    ]);
  });

  it.each([null, 'text', 7, [], undefined])('refuses %j, which is no object', async (value) => {
    expect((await validate(value)).issues).toMatchObject([{ message: 'must be an object of Order' }]);
  });

  it('drops or refuses properties that nobody declared, if asked to', async () => {
    const value = { id: 'o-1', lines: [], extra: 1 };
    expect(await validate(value, { whitelist: true })).toEqual({ value: { id: 'o-1', lines: [] } });
    const { issues } = await validate(value, { whitelist: true, forbidNonWhitelisted: true });
    expect(issues).toMatchObject([{ path: ['extra'] }]);
  });
});
