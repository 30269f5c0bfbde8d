import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'

export function ImportPage() {
  return (
    <Page>
      <PageHeader title="ImportPage" />
    </Page>
  )
}
