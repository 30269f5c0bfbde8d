/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Words = { [key: string]: string | Words }

const PLACES = { console: '../locales/', contract: '../../../contract/locales/' }

const textAt = (at: string): string | Words | undefined => {
  const [place, file, ...path] = at.split(/[:.]/)
  const url = new URL(`${PLACES[place as keyof typeof PLACES]}en_GB/${file}.json`, import.meta.url)
  const words: Words = JSON.parse(readFileSync(url, 'utf8'))
  return path.reduce<string | Words | undefined>((inner, key) => (typeof inner === 'object' ? inner[key] : undefined), words)
}

/** The sentences that the specification quotes for the directory (1-console.md sections 2, 5, 6 and 8; 2-administration.md sections 5 and 8). */
const DOCUMENTED = [
  ['Create user', 'console:profile.title.create'],
  ['View profile', 'console:profile.title.view'],
  ['Update user', 'console:profile.title.edit'],
  ['Cancel', 'console:common.cancel'],
  ['Save', 'console:common.save'],
  ['This user is currently locked for editing', 'console:people.locked'],
  ['This user has been marked as a VIP', 'console:people.vip'],
  ['external id not unique', 'contract:problems.EMFB013'],
  ['external id not unique', 'contract:fields.externalIdTaken'],
  ['User cannot be modified in this Connector', 'contract:problems.USER_NOT_MODIFIABLE'],
  ["You can't access this page without the connectors", 'console:people.connector.none'],
  ["You don't have any sites assigned", 'console:shell.noSites.title'],
  ["You don't have any sites assigned", 'console:sites.site.noneOfYours'],
  ["You can't create the site because a site with the same name already exists.", 'contract:problems.SITE_NAME_TAKEN'],
  ["You can't create the site group because a site group with the same name already exists.", 'contract:problems.SITE_GROUP_NAME_TAKEN'],
  ['Prefix value should not contain special characters.', 'console:sites.problem.prefixCharacters'],
  ['Prefix value should not contain special characters.', 'contract:fields.prefixCharacters'],
  ['Prefix value should be less than 30 characters.', 'console:sites.problem.prefixTooLong'],
  ['Prefix value should be less than 30 characters.', 'contract:fields.prefixTooLong'],
  ['Please enter a {{value}}', 'console:common.enterValue'],
  ['Please select a {{value}}', 'console:common.selectValue'],
  ['Please select date', 'console:profile.problem.selectDate'],
  ['Please select or enter all the data to add condition', 'console:conditions.incomplete'],
  ['Only three security attributes are allowed', 'contract:problems.TOO_MANY_ACTIVE_FIELDS'],
  ['No data to download', 'console:people.export.nothing'],
  ['Sync failed, please try again', 'console:targets.sync.failed'],
  ['No records available, Please try after some time.', 'console:common.noRecords'],
  ['Error occurred while fetching records.', 'console:common.fetchFailed'],
  ['Error occurred while fetching fields.', 'console:common.fetchFieldsFailed'],
  ['Error 500, please try again later', 'console:common.error500'],
  ['Error 404: Not Found / Oops, something went wrong', 'contract:problems.NOT_FOUND'],
  ['User session expired', 'console:common.sessionExpired'],
  ['Site group id must be specified', 'console:shell.problem.SITE_GROUP_ID_MISSING'],
  ['Site id must be specified', 'console:shell.problem.SITE_ID_MISSING'],
  ['User id must be specified', 'console:shell.problem.USER_ID_MISSING'],
  ['ConnectorId must be specified', 'console:shell.problem.LIST_CONNECTOR_ID_MISSING'],
  ['Connector id must be specified', 'console:shell.problem.CONNECTOR_ID_MISSING'],
] as const

test.each(DOCUMENTED)('“%s” stands word for word at %s', (sentence, at) => {
  expect(textAt(at)).toBe(sentence)
})
