import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes } from 'react';
import styles from './field.module.css';
import { Icon } from './icon.js';

interface FieldLabel {
  readonly label: string;
}

export function SelectField({
  label,
  children,
  ...rest
}: FieldLabel & { readonly children: ReactNode } & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'>) {
  return (
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      <span className={styles.select}>
        <select {...rest} className={styles.control}>
          {children}
        </select>
        <Icon name="down" size={12} />
      </span>
    </label>
  );
}

export function TextField({
  label,
  ...rest
}: FieldLabel & { readonly ref?: Ref<HTMLInputElement> } & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>) {
  return (
    <label className={styles.field}>
      <span className={styles.label}>{label}</span>
      <input autoComplete="off" spellCheck={false} {...rest} className={styles.control} />
    </label>
  );
}
