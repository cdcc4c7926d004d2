/** 16-pixel line icons. They are decoration: the word beside them, or the label of the control, carries the meaning. */
const PATHS = {
  overview: 'M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5',
  jobs: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  dead: 'M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5zM8 5.2v3.6M8 11v.1',
  leases: 'M8 14A5.5 5.5 0 1 0 8 3a5.5 5.5 0 0 0 0 11zM8 5.8v2.8l1.8 1.2M6.5 1.2h3',
  storage:
    'M13 4.2c0 1.2-2.2 2.2-5 2.2S3 5.4 3 4.2 5.2 2 8 2s5 1 5 2.2zM3 4.2v7.6C3 13 5.2 14 8 14s5-1 5-2.2V4.2M3 8c0 1.2 2.2 2.2 5 2.2s5-1 5-2.2',
  scheduled: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  ready: 'M8 12.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z',
  leased: 'M13.5 8A5.5 5.5 0 1 1 9.2 2.6M13.5 8h.01',
  retrying: 'M3 8.5a5 5 0 1 0 1.8-3.9L3 6.2M3 2.8v3.4h3.4',
  completed: 'm3 8.5 3.3 3.3L13 4.8',
  cancelled: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM4.2 4.2l7.6 7.6',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13.5 9.3A5.8 5.8 0 0 1 6.7 2.5a5.8 5.8 0 1 0 6.8 6.8z',
  system: 'M2 3h12v8H2zM6 13.5h4',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.8 8z',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  drain: 'M3 3h10l-4 5v4l-2 1.5V8z',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  activity: 'M2 8.5h2.8L6.6 4l2.8 8 1.8-3.5H14',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14',
  warning: 'M8 2.2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.2 6.4a1.8 1.8 0 1 1 2.6 1.6c-.5.3-.8.6-.8 1.2M8 11.3v.1',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={name === 'play' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
