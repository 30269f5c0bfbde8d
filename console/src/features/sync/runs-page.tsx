import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'

export function RunsPage() {
  return (
    <Page>
      <PageHeader title="RunsPage" />
    </Page>
  )
}
