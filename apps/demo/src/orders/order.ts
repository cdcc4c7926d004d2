import { z } from 'zod';

const NAME_CHARACTERS_MAX = 200;
const ITEMS_MAX = 50;
const EMAIL_CHARACTERS_MAX = 254;

/** What a customer sends to place an order. Money is whole cents: no float ever holds a price. */
export const orderForm = z.object(
  {
    customer: z.object(
      {
        name: line('name', NAME_CHARACTERS_MAX),
        email: z
          .string('must be text')
          .max(EMAIL_CHARACTERS_MAX, `must have at most ${EMAIL_CHARACTERS_MAX} characters`)
          .pipe(z.email('must be an e-mail address')),
      },
      'must be an object with name and email',
    ),
    items: z
      .array(
        z.object(
          {
            sku: line('sku', 64),
            quantity: wholeNumber(1, 100),
            unitPriceCents: wholeNumber(0, 10_000_000),
          },
          'must be an object with sku, quantity and unitPriceCents',
        ),
        'must be a list',
      )
      .min(1, 'must hold at least one item')
      .max(ITEMS_MAX, `must hold at most ${ITEMS_MAX} items`),
  },
  'must be a JSON object with customer and items, sent as Content-Type: application/json',
);

export type OrderForm = z.infer<typeof orderForm>;

/** An order that was accepted: the payload of both its jobs. */
export interface Order extends OrderForm {
  readonly orderId: string;
  readonly placedAtMs: number;
}

export function totalCents(order: Pick<OrderForm, 'items'>): number {
  return order.items.reduce((sum, item) => sum + item.quantity * item.unitPriceCents, 0);
}

/** 123456 → "1,234.56". */
export function formatCents(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** One line of text. Line breaks and other control characters have no place in a name, a mail header or a table. */
function line(what: string, charactersMax: number) {
  return z
    .string('must be text')
    .refine((text) => text.trim() !== '', 'must not be empty')
    .max(charactersMax, `must have at most ${charactersMax} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), `must be one line of text: a ${what} holds no control characters`);
}

function wholeNumber(least: number, most: number) {
  const problem = `must be a whole number from ${least} to ${most}`;
  return z.number(problem).int(problem).min(least, problem).max(most, problem);
}
