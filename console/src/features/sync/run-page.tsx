import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'

export function RunPage() {
  return (
    <Page>
      <PageHeader title="RunPage" />
    </Page>
  )
}
