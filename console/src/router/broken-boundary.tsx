import { Component, type ReactNode } from 'react'

interface BrokenBoundaryProps {
  /** What failed is tried again when this changes. */
  of: string
  fallback: ReactNode
  children: ReactNode
}

interface BrokenBoundaryState {
  of: string
  broken: boolean
}

/** Shows `fallback` where what is inside fails while it is drawn, until another address is opened. */
export class BrokenBoundary extends Component<BrokenBoundaryProps, BrokenBoundaryState> {
  override state = { of: this.props.of, broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  static getDerivedStateFromProps({ of }: BrokenBoundaryProps, state: BrokenBoundaryState): BrokenBoundaryState | null {
    return of === state.of ? null : { of, broken: false }
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children
  }
}
