import { expect, it } from 'vitest';
import { apiUrl, mountPath } from './mount.js';

it('takes the mount from the base address of the page', () => {
  expect(mountPath('https://shop.example/ops/queues/')).toBe('/ops/queues');
  expect(mountPath('https://shop.example/')).toBe('');
});

it('asks the API below the mount, with every segment and parameter escaped', () => {
  const url = apiUrl(
    ['jobs', 'a/b?#'],
    { queue: 'x&y=z +', limit: 50, cursor: undefined, name: '' },
    'https://shop.example/q/',
  );
  expect(url.href).toBe('https://shop.example/q/api/v1/jobs/a%2Fb%3F%23?queue=x%26y%3Dz+%2B&limit=50');
});
