/** What a canvas needs to know of the theme. Read from elements, because a token may name a colour for each theme. */
export interface ChartColours {
  readonly accent: string;
  readonly caution: string;
  readonly muted: string;
  readonly text: string;
  readonly grid: string;
  readonly font: string;
}

export function chartColours(element: HTMLElement): ChartColours {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    accent: colour('--hf-accent'),
    caution: colour('--hf-caution'),
    muted: colour('--hf-control-line'),
    text: colour('--hf-muted'),
    grid: colour('--hf-hairline'),
    font: `11px ${getComputedStyle(element).fontFamily}`,
  };
  probe.remove();
  return colours;
}
