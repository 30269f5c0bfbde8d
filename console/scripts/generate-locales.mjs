/**
 * Writes `src/i18n/locales.gen.ts`: the languages the console offers, each with its English name and its own name for itself, from the
 * full ICU of the running Node (browsers lack the own names of many). Run with `npx node console/scripts/generate-locales.mjs`.
 */
import { writeFileSync } from 'node:fs'

const KEYS = `af_ZA sq_AL am_ET ar hy_AM as_IN az_AZ bn_BD bn_IN eu_ES be_BY bs_BA bg_BG my_MM ca_ES zh_CN zh_HK zh_TW hr_HR cs_CZ da_DK
  nl_BE nl_NL en_AU en_CA en_GB en_IE en_IN en_NZ en_US en_ZA et_EE fil_PH fi_FI fr_BE fr_CA fr_CH fr_FR gl_ES ka_GE de_AT de_CH de_DE
  el_GR gu_IN he_IL hi_IN hu_HU is_IS id_ID ga_IE it_CH it_IT ja_JP kn_IN kk_KZ km_KH ko_KR ky_KG lo_LA lv_LV lt_LT mk_MK ms_MY ml_IN
  mr_IN mn_MN ne_NP nb_NO nn_NO or_IN fa_IR pl_PL pt_BR pt_PT pa_IN ro_RO ru_RU sr_RS si_LK sk_SK sl_SI so_SO es_419 es_AR es_CO es_ES
  es_MX sw_KE sv_FI sv_SE ta_IN te_IN th_TH tr_TR tk_TM uk_UA ur_PK uz_UZ vi_VN cy_GB yo_NG zu_ZA`

const nameIn = (value, language) => new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(value)

const locales = KEYS.split(/\s+/)
  .map((key) => {
    const value = key.replace('_', '-')
    return { key, value, label: nameIn(value, 'en-GB'), endonym: nameIn(value, value) }
  })
  .sort((a, b) => a.label.localeCompare(b.label, 'en-GB'))

const lines = locales.map(({ key, value, label, endonym }) => {
  const quote = (text) => `'${text.replaceAll("'", "\\'")}'`
  return `  { key: ${quote(key)}, value: ${quote(value)}, label: ${quote(label)}, endonym: ${quote(endonym)} },`
})

writeFileSync(
  new URL('../src/i18n/locales.gen.ts', import.meta.url),
  `/** The languages the console offers, by English name. Written by \`console/scripts/generate-locales.mjs\`. */
export interface Locale {
  /** As the store and the locale folders write it. */
  readonly key: string
  /** As the platform's Intl writes it. */
  readonly value: string
  /** Its name in British English. */
  readonly label: string
  /** Its own name for itself. */
  readonly endonym: string
}

export const LOCALES: readonly Locale[] = [
${lines.join('\n')}
]
`,
)
