import { Page } from '@instep/ui/page.tsx'
import { PageHeader } from '@instep/ui/page-header.tsx'

export function ConnectorsPage() {
  return (
    <Page>
      <PageHeader title="ConnectorsPage" />
    </Page>
  )
}
