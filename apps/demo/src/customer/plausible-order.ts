import { type OrderForm } from '../orders/order.js';
import { type SeededRandom } from '../seeded-random.js';

const FIRST_NAMES = ['Ada', 'Alan', 'Barbara', 'Edsger', 'Frances', 'Grace', 'Jean', 'Katherine', 'Niklaus', 'Radia'];
const LAST_NAMES = [
  'Allen',
  'Bartik',
  'Dijkstra',
  'Hopper',
  'Johnson',
  'Liskov',
  'Lovelace',
  'Perlman',
  'Turing',
  'Wirth',
];

const ARTICLES = [
  { sku: 'anchor-5kg', unitPriceCents: 4_990 },
  { sku: 'carabiner', unitPriceCents: 890 },
  { sku: 'cleat-brass', unitPriceCents: 1_450 },
  { sku: 'hawser-30m', unitPriceCents: 12_900 },
  { sku: 'lantern', unitPriceCents: 3_450 },
  { sku: 'rope-20m', unitPriceCents: 1_999 },
  { sku: 'shackle-8mm', unitPriceCents: 620 },
] as const;

/** What somebody might buy. All addresses are under a domain that exists for examples only. */
export function plausibleOrder(random: SeededRandom): OrderForm {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  return {
    customer: { name: `${first} ${last}`, email: `${first}.${last}@example.org`.toLowerCase() },
    items: Array.from({ length: random.between(1, 4) }, () => ({
      ...random.pick(ARTICLES),
      quantity: random.between(1, 3),
    })),
  };
}
