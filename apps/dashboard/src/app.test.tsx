import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { App } from './app.js';

it('names itself', () => {
  render(<App />);
  expect(screen.getByRole('heading', { name: 'Holdfast' })).toBeDefined();
});
