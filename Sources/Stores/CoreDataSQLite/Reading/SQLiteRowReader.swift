import CoreDataSQL
import SQLiteKit

/// Reads the rows of a statement into slabs, in the statement's order.
///
/// Values keep the storage class that they have in the file; a value that does not fit its attribute is detected when
/// it is accessed. A row with an unknown entity number is reported, and skipped if the table has rows of several
/// entities.
///
/// Invariant: `runs`, followed by the rows `start..<slab.count` of `slab`, are the rows read so far.
struct SQLiteRowReader {
    private let file: StoreFile
    private let selection: SQLiteRowSelection
    private let expectedCount: Int
    private var runs: [RowRun] = []
    private var slabs: [Int: RowSlab] = [:]
    private var number = Int64.min
    private var filling: SQLiteRowSelection.Filling?
    private var slab: RowSlab?
    private var start = 0

    init(file: StoreFile, selection: SQLiteRowSelection, expectedCount: Int) {
        self.file = file
        self.selection = selection
        self.expectedCount = expectedCount
    }

    /// Reads all rows; the statement's first three columns are key, entity number and version.
    mutating func read(_ statement: Statement) throws -> [RowRun] {
        var bound = RowBound()
        _ = try read(statement, atMost: .max, bound: &bound)
        return takeRuns()
    }

    /// Reads at most `most` rows; returns true at the statement's end.
    mutating func read(_ statement: Statement, atMost most: Int, bound: inout RowBound) throws -> Bool {
        let last = bound.count.addingReportingOverflow(most)
        let end = last.overflow ? Int.max : last.partialValue
        var isAtRow = try next(statement, until: end, &bound)
        while isAtRow {
            guard prepare(for: statement), let slab, let filling else {
                isAtRow = try next(statement, until: end, &bound)
                continue
            }
            // The slab and its filling are retained once for consecutive rows of one entity.
            let number = number
            repeat {
                append(to: slab, filling, of: statement)
                isAtRow = try next(statement, until: end, &bound)
            } while isAtRow && statement.int64(1) == number && !slab.isFull
        }
        return bound.count < end
    }

    /// Goes to the next row; false at the end of the statement, and before a row beyond `end`.
    @inline(__always)
    private func next(_ statement: Statement, until end: Int, _ bound: inout RowBound) throws -> Bool {
        guard bound.count < end, try statement.step() else { return false }
        bound.count += 1
        if bound.count > bound.allowed { try file.checkCount(bound.count, allowed: &bound.allowed) }
        return true
    }

    /// Returns the rows read so far.
    mutating func takeRuns() -> [RowRun] {
        closeRun()
        return runs
    }

    /// Reads the rows of members, each once however many owners it has; the last column is the owner's key.
    ///
    /// `areDistinct` says that the statement has each member once.
    mutating func readMembers(_ statement: Statement, areDistinct: Bool) throws -> MemberRows {
        let ownerColumn = selection.columns.count
        var members = MemberRows(areParallel: areDistinct)
        var read: [Int64: Bool] = [:]
        var bound = RowBound()
        while try next(statement, until: .max, &bound) {
            let key = statement.int64(0)
            let isMember: Bool
            if areDistinct {
                isMember = readRow(of: statement)
            } else {
                isMember = read[key] ?? readRow(of: statement)
                read[key] = isMember
            }
            if isMember { members.pairs.append((statement.int64(ownerColumn), key)) }
        }
        members.rows = takeRuns()
        return members
    }

    /// Reads the current row of a statement; false for a row of an entity that the model does not have.
    @discardableResult
    private mutating func readRow(of statement: Statement) -> Bool {
        guard prepare(for: statement), let slab, let filling else { return false }
        append(to: slab, filling, of: statement)
        return true
    }

    /// Prepares a slab with room for the current row of a statement; false for a row of an entity that the model does not have.
    private mutating func prepare(for statement: Statement) -> Bool {
        let number = statement.int64(1)
        if number != self.number { turn(to: number, at: statement.int64(0)) }
        guard let filling else {
            file.noteUnknownEntity(key: statement.int64(0), entity: number, passedOverIn: selection.table)
            return false
        }
        if slab?.isFull != false { makeRoom(for: filling) }
        return true
    }

    /// Appends the current row of a statement to a slab that has room.
    @inline(__always)
    private func append(to slab: RowSlab, _ filling: SQLiteRowSelection.Filling, of statement: Statement) {
        let row = slab.appendRow(key: statement.int64(0), version: statement.int64(2))
        statement.unpack(filling.cells, into: row) { slab.append($0) }
        if !filling.isPlain { finish(row, in: slab, filling, of: statement) }
    }

    /// Converts entity numbers and composites of a row from the file's form.
    private func finish(
        _ row: UnsafeMutableRawPointer, in slab: RowSlab, _ filling: SQLiteRowSelection.Filling, of statement: Statement
    ) {
        for slot in filling.entityNumberSlots { renumber(slab, row: row, slot: slot) }
        for composite in filling.composites {
            assemble(composite.columns, of: statement, slab: slab, row: row, slot: composite.slot)
        }
    }

    /// Prepares for rows of another entity; `key` is the key of the first of them.
    private mutating func turn(to number: Int64, at key: Int64) {
        closeRun()
        self.number = number
        filling = selection.filling(number: number).flatMap { $0.plan.mapping.isAbstract ? nil : $0 }
        if let mapping = filling?.plan.mapping, Int64(mapping.number) != number {
            file.noteUnknownEntity(key: key, entity: number, readAs: mapping.name)
        }
        slab = filling.flatMap { slabs[$0.plan.mapping.number] }
        start = slab?.count ?? 0
    }

    private mutating func makeRoom(for filling: SQLiteRowSelection.Filling) {
        closeRun()
        let made = RowSlab(binding: filling.plan.binding, capacity: slab == nil ? expectedCount : RowSlab.mostRows)
        slabs[filling.plan.mapping.number] = made
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
        _ columns: [Int?], of statement: Statement, slab: RowSlab, row: UnsafeMutableRawPointer, slot: Int
    ) {
        var coding = CompositeCoding()
        for column in columns {
            guard let column else {
                coding.append(RowTag.null, bits: 0)
                continue
            }
            switch statement.columnType(column) {
            case .null: coding.append(RowTag.null, bits: 0)
            case .integer: coding.append(RowTag.integer, bits: UInt64(bitPattern: statement.int64(column)))
            case .real: coding.append(RowTag.real, bits: statement.double(column).bitPattern)
            case .text: coding.append(RowTag.text, bytes: statement.textBytes(column))
            case .blob: coding.append(RowTag.blob, bytes: statement.blobBytes(column))
            }
        }
        guard !coding.isNull else { return }
        coding.bytes.withUnsafeBytes { slab.set(RowTag.blob, slab.append($0), row: row, slot: slot) }
    }

    /// Replaces the file's entity number with the model's layout number; an unknown number becomes null.
    private func renumber(_ slab: RowSlab, row: UnsafeMutableRawPointer, slot: Int) {
        guard slab.tag(slab.count - 1, slot) == RowTag.integer else { return }
        guard let plan = file.plan(number: slab.integer(slab.count - 1, slot)) else {
            return slab.set(RowTag.null, 0, row: row, slot: slot)
        }
        slab.set(RowTag.integer, UInt64(plan.layout.number), row: row, slot: slot)
    }
}

/// How many rows a statement has returned, and how many it may return before the file's size is checked.
struct RowBound {
    var count = 0
    var allowed = 10_000
}
