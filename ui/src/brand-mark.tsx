interface BrandMarkProps {
  size?: number | undefined
}

/** Three strokes of falling length with a dot; points along the reading direction. */
export function BrandMark({ size = 24 }: BrandMarkProps) {
  return (
    <svg className="mirrors" width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <g stroke="var(--accent)" strokeWidth="3.2" strokeLinecap="round">
        <path d="M4.5 5.5h15" />
        <path d="M4.5 12h10.5" />
        <path d="M4.5 18.5h7" />
      </g>
      <circle cx="18.6" cy="17.6" r="2.6" fill="var(--accent)" />
    </svg>
  )
}
