import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.js';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'> {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly size?: 'small' | 'regular';
  /** Square, for an icon alone: needs an `aria-label`. */
  readonly square?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', size = 'regular', square = false, type = 'button', ...rest }: ButtonProps) {
  const className = classNames(styles.button, styles[look], styles[size], square && styles.square);
  return <button {...rest} type={type} className={className} />;
}
