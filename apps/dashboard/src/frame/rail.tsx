import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { overviewQuery } from '../api/overview.js';
import { classNames } from '../components/class-names.js';
import { Icon } from '../components/icon.js';
import { formatCount } from '../format/number.js';
import { CALM_REFRESH_MS, useRefresh } from '../live/refresh.js';
import { frameText } from './frame-text.js';
import { PAGES } from './pages.js';
import styles from './rail.module.css';

export function Rail() {
  const [location] = useLocation();
  const overview = useQuery(overviewQuery(useRefresh(CALM_REFRESH_MS)));
  const dead = overview.data?.queues.reduce((sum, queue) => sum + queue.counts.dead, 0) ?? 0;
  return (
    <nav className={styles.rail} aria-label={frameText.navigation}>
      <div className={styles.product}>
        <Mark />
        <span className={styles.word}>{frameText.product}</span>
      </div>
      <ul className={styles.pages}>
        {PAGES.map((page) => (
          <li key={page.path}>
            <Link
              href={page.path}
              title={page.title}
              aria-current={location === page.path ? 'page' : undefined}
              className={classNames(styles.link, location === page.path && styles.here)}
            >
              <Icon name={page.icon} />
              <span className={styles.word}>{page.title}</span>
              {page.path === '/dead' && dead > 0 && <DeadCount count={dead} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function DeadCount({ count }: { readonly count: number }) {
  return (
    <span className={styles.count} title={frameText.deadCount(formatCount(count))}>
      {formatCount(count)}
    </span>
  );
}

function Mark() {
  return (
    <svg width={20} height={20} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <rect className={styles.mark} width={16} height={16} rx={3.5} />
      <path className={styles.stroke} d="M5 3.5v9M11 3.5v9M5 8h6" strokeWidth={2} strokeLinecap="round" fill="none" />
    </svg>
  );
}
