import CoreDataSQL
import SQLiteKit

/// Packs the rows of a running statement into slabs, in the statement's order.
///
/// Every value keeps the storage class that the file has for it; what does not fit its attribute is found when the
/// value is asked for. A row with an entity number that the model does not have is noted, and passed over where the table
/// has rows of several entities.
///
/// Invariant: `runs` followed by `start..<slab.count` of `slab` are the rows read so far.
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

    /// Reads all rows; the statement's first columns are key, entity number and version.
    mutating func read(_ statement: Statement) throws -> [RowRun] {
        var count = 0
        var allowed = 10_000
        while try statement.step() {
            count += 1
            if count > allowed { try file.checkCount(count, allowed: &allowed) }
            readRow(of: statement)
        }
        closeRun()
        return runs
    }

    /// Reads the next rows of a statement that may have more; true at its end.
    mutating func read(_ statement: Statement, atMost most: Int, bound: inout RowBound) throws -> Bool {
        for _ in 0..<most {
            guard try statement.step() else { return true }
            bound.count += 1
            if bound.count > bound.allowed { try file.checkCount(bound.count, allowed: &bound.allowed) }
            readRow(of: statement)
        }
        return false
    }

    /// The rows read so far.
    mutating func takeRuns() -> [RowRun] {
        closeRun()
        return runs
    }

    /// Reads the rows of members, each once however many owners it has; the last column is the owner's key.
    mutating func readMembers(_ statement: Statement) throws -> MemberRows {
        let ownerColumn = selection.columns.count
        var members = MemberRows()
        var read: [Int64: Bool] = [:]
        var count = 0
        var allowed = 10_000
        while try statement.step() {
            count += 1
            if count > allowed { try file.checkCount(count, allowed: &allowed) }
            let key = statement.int64(0)
            let isMember = read[key] ?? readRow(of: statement)
            read[key] = isMember
            if isMember { members.pairs.append((statement.int64(ownerColumn), key)) }
        }
        closeRun()
        members.rows = runs
        return members
    }

    /// Reads the row where the statement stands; false for one that is passed over.
    @discardableResult
    private mutating func readRow(of statement: Statement) -> Bool {
        let number = statement.int64(1)
        if number != self.number { turn(to: number, at: statement.int64(0)) }
        guard let filling else {
            file.noteUnknownEntity(key: statement.int64(0), entity: number, passedOverIn: selection.table)
            return false
        }
        if slab?.isFull != false { makeRoom(for: filling) }
        guard let slab else { return false }
        let row = slab.appendRow(key: statement.int64(0), version: statement.int64(2))
        statement.unpack(filling.cells, into: row) { slab.append($0) }
        if !filling.isPlain { finish(row, in: slab, filling, of: statement) }
        return true
    }

    /// Makes of a row what the file has in another form.
    private func finish(
        _ row: UnsafeMutableRawPointer, in slab: RowSlab, _ filling: SQLiteRowSelection.Filling, of statement: Statement
    ) {
        for slot in filling.entityNumberSlots { renumber(slab, row: row, slot: slot) }
        for composite in filling.composites {
            assemble(composite.columns, of: statement, slab: slab, row: row, slot: composite.slot)
        }
    }

    /// Goes on with rows of another entity, of which the first has a key.
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

    /// Puts the columns of a composite's elements together into its slot.
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

    /// Turns the file's number of an entity into the graph's; one that the model does not have becomes null.
    private func renumber(_ slab: RowSlab, row: UnsafeMutableRawPointer, slot: Int) {
        guard slab.tag(slab.count - 1, slot) == RowTag.integer else { return }
        guard let plan = file.plan(number: slab.integer(slab.count - 1, slot)) else {
            return slab.set(RowTag.null, 0, row: row, slot: slot)
        }
        slab.set(RowTag.integer, UInt64(plan.layout.number), row: row, slot: slot)
    }
}

/// How many rows a statement has given, and how many it may give before the file's size is asked for.
struct RowBound {
    var count = 0
    var allowed = 10_000
}
