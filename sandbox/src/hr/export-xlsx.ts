/** The employee export as an Excel workbook of one sheet, dates as real dates shown day first. */
import writeExcelFile, { type SheetData } from 'write-excel-file/node'
import type { ExportTable } from './export-table.ts'

export const exportXlsx = async (table: ExportTable): Promise<Buffer> => {
  const data: SheetData = [table.headers.map((header) => ({ value: header, fontWeight: 'bold' as const }))]
  for (const row of table.rows()) {
    data.push(
      row.map((cell) => {
        if (cell.date) return { value: cell.date, type: Date, format: 'dd/mm/yyyy' }
        return cell.text === '' ? null : { value: cell.text, type: String }
      }),
    )
  }
  return await writeExcelFile(data, { sheet: 'Employees' }).toBuffer()
}
