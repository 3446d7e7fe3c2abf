import CoreDataSQL
import PostgresKit

/// Reads the rows of results into slabs, in their order.
///
/// A row with an unknown entity number is skipped.
///
/// Invariant: `runs`, followed by the rows `start..<slab.count` of `slab`, are the rows read so far.
struct PostgresRowReader {
    private let shape: PostgresShape
    private let selection: PostgresRowSelection
    private let expectedCount: Int
    private var runs: [RowRun] = []
    private var slabs: [Int: RowSlab] = [:]
    private var number = Int64.min
    private var filling: PostgresRowSelection.Filling?
    private var slab: RowSlab?
    private var start = 0

    init(_ shape: PostgresShape, _ selection: PostgresRowSelection, expectedCount: Int) {
        self.shape = shape
        self.selection = selection
        self.expectedCount = expectedCount
    }

    /// Reads all rows of a result whose first three columns are key, entity number and version.
    mutating func read(_ result: PostgresResult) -> [RowRun] {
        for row in 0..<result.rowCount { readRow(row, of: result) }
        return takeRuns()
    }

    /// Reads the rows of members, each once even if it has several owners; the result's last column is the owner's key.
    mutating func readMembers(_ result: PostgresResult) -> MemberRows {
        let ownerColumn = selection.columns.count
        var members = MemberRows()
        var read: [Int64: Bool] = [:]
        for row in 0..<result.rowCount {
            guard let key = result.int64(row, 0), let owner = result.int64(row, ownerColumn) else { continue }
            let isMember = read[key] ?? readRow(row, of: result)
            read[key] = isMember
            if isMember { members.pairs.append((owner, key)) }
        }
        members.rows = takeRuns()
        return members
    }

    /// Returns the rows read since the last call.
    mutating func takeRuns() -> [RowRun] {
        closeRun()
        defer { runs = [] }
        return runs
    }

    /// Reads one row; returns false if the row is skipped.
    @discardableResult
    mutating func readRow(_ row: Int, of result: some RowCells) -> Bool {
        let number = result.integer(row, 1) ?? 0
        if number != self.number { turn(to: number) }
        guard let filling, let key = result.integer(row, 0) else { return false }
        if slab?.isFull != false { makeRoom(for: filling) }
        guard let slab else { return false }
        let memory = slab.appendRow(key: key, version: result.integer(row, 2) ?? 0)
        for cell in filling.cells {
            result.withStored(row, column: cell.column, type: cell.type) { value in
                switch value.tag {
                case RowTag.null: break
                case RowTag.text, RowTag.blob:
                    slab.set(value.tag, slab.append(value.bytes), row: memory, slot: cell.slot)
                default: slab.set(value.tag, value.bits, row: memory, slot: cell.slot)
                }
            }
        }
        for slot in filling.entityNumbers { renumber(slab, row: memory, slot: slot) }
        for composite in filling.composites {
            assemble(composite.columns, row: row, of: result, slab: slab, memory: memory, slot: composite.slot)
        }
        return true
    }

    /// Prepares for rows of another entity.
    private mutating func turn(to number: Int64) {
        closeRun()
        self.number = number
        filling = selection.filling(number: number)
        slab = filling.flatMap { slabs[$0.table.mapping.number] }
        start = slab?.count ?? 0
    }

    private mutating func makeRoom(for filling: PostgresRowSelection.Filling) {
        closeRun()
        let made = RowSlab(
            binding: filling.table.binding, capacity: slab == nil ? expectedCount : RowSlab.mostRows)
        slabs[filling.table.mapping.number] = made
        slab = made
        start = 0
    }

    private mutating func closeRun() {
        guard let slab, slab.count > start else { return }
        runs.append(RowRun(slab: slab, range: start..<slab.count))
        start = slab.count
    }

    /// Combines the columns of a composite's elements in its slot.
    private func assemble(
        _ columns: [(column: Int, type: ColumnType)?], row: Int, of result: some RowCells, slab: RowSlab,
        memory: UnsafeMutableRawPointer, slot: Int
    ) {
        let coding = CompositeCoding.elements(columns, row, of: result)
        guard !coding.isNull else { return }
        coding.bytes.withUnsafeBytes { slab.set(RowTag.blob, slab.append($0), row: memory, slot: slot) }
    }

    /// Replaces the database's entity number with the model's layout number; an unknown number becomes null.
    private func renumber(_ slab: RowSlab, row: UnsafeMutableRawPointer, slot: Int) {
        guard slab.tag(slab.count - 1, slot) == RowTag.integer else { return }
        guard let table = shape.table(number: slab.integer(slab.count - 1, slot)) else {
            return slab.set(RowTag.null, 0, row: row, slot: slot)
        }
        slab.set(RowTag.integer, UInt64(table.layout.number), row: row, slot: slot)
    }
}

extension CompositeCoding {
    /// Encodes the elements of a composite from columns of a row; an element without column is nil.
    static func elements(
        _ columns: [(column: Int, type: ColumnType)?], _ row: Int, of result: some RowCells
    ) -> CompositeCoding {
        var coding = CompositeCoding()
        for element in columns {
            guard let element else {
                coding.append(RowTag.null, bits: 0)
                continue
            }
            result.withStored(row, column: element.column, type: element.type) { value in
                if value.tag == RowTag.text || value.tag == RowTag.blob {
                    coding.append(value.tag, bytes: value.bytes)
                } else {
                    coding.append(value.tag, bits: value.bits)
                }
            }
        }
        return coding
    }
}
