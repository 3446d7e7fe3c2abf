import CoreDataSQL
import SQLiteKit

/// Packs the rows of a running statement into slabs, in the statement's order.
///
/// Every value keeps the storage class that the file has for it; what does not fit its attribute is found when the
/// value is asked for. A row with an entity number that the model does not have is passed over and noted.
struct RowReader {
    let file: StoreFile
    let selection: RowSelection
    private(set) var runs: [RowRun] = []
    private var slabs: [Int: RowSlab] = [:]
    private var expectedCount: Int

    init(file: StoreFile, selection: RowSelection, expectedCount: Int) {
        self.file = file
        self.selection = selection
        self.expectedCount = expectedCount
    }

    mutating func read(_ statement: Statement) throws {
        while try statement.step() {
            // Rows of one entity usually follow each other: the inner loop keeps to one slab.
            let number = statement.int64(1)
            guard let (plan, cells) = selection.cells(number: number), !plan.mapping.isAbstract else {
                passOver(statement, number)
                continue
            }
            let slab = slab(for: plan)
            let index = slab.count
            write(statement, cells, into: slab)
            extendRun(slab, index)
        }
    }

    private func write(_ statement: Statement, _ cells: [RowSelection.Cell], into slab: RowSlab) {
        let row = slab.appendRow(key: statement.int64(0), version: statement.int64(2))
        for cell in cells {
            switch statement.columnType(cell.column) {
            case .null: continue
            case .integer:
                var value = statement.int64(cell.column)
                if cell.isEntityNumber {
                    guard let plan = file.plan(number: value) else { continue }
                    value = Int64(plan.layout.number)
                }
                slab.set(RowTag.integer, UInt64(bitPattern: value), row: row, slot: cell.slot)
            case .real: slab.set(RowTag.real, statement.double(cell.column).bitPattern, row: row, slot: cell.slot)
            case .text:
                slab.set(RowTag.text, slab.append(statement.textBytes(cell.column)), row: row, slot: cell.slot)
            case .blob:
                slab.set(RowTag.blob, slab.append(statement.blobBytes(cell.column)), row: row, slot: cell.slot)
            }
        }
    }

    private mutating func slab(for plan: RowPlan) -> RowSlab {
        let number = plan.mapping.number
        if let slab = slabs[number], !slab.isFull { return slab }
        let isFirst = slabs[number] == nil
        let slab = RowSlab(binding: plan.binding, capacity: isFirst ? expectedCount : RowSlab.mostRows)
        slabs[number] = slab
        return slab
    }

    private mutating func extendRun(_ slab: RowSlab, _ index: Int) {
        if let last = runs.last, last.slab === slab, last.range.upperBound == index {
            runs[runs.count - 1] = RowRun(slab: slab, range: last.range.lowerBound..<index + 1)
        } else {
            runs.append(RowRun(slab: slab, range: index..<index + 1))
        }
    }

    private func passOver(_ statement: Statement, _ number: Int64) {
        file.note(
            "The row \(statement.int64(0)) of a table has the entity number \(number), which no object of the fetched "
                + "entities can have; it was passed over.")
    }
}
