import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'

export function ConnectorPage() {
  return (
    <Page>
      <PageHeader title="ConnectorPage" />
    </Page>
  )
}
