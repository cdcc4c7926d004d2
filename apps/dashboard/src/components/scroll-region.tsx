import type { ReactNode } from 'react';

interface ScrollRegionProps {
  /** What the region is called: unlike all others of the page. */
  readonly label: string;
  /** Gives it a greatest height and `overflow: auto`. */
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** Where long content scrolls by itself: with a name, and a stop for Tab, so that the arrow keys scroll it. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
