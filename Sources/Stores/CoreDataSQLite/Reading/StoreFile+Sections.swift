import CoreDataSQL
import SQLiteKit

extension StoreFile: SectionScanning {
    package var sectionScanning: (any SectionScanning)? { self }

    package func scan(_ query: FetchQuery, by column: SectionColumn) throws -> SectionScan {
        let mapping = try mapping(of: query.binding.layout)
        let compiled = try compiled { try $0.scan(query, valueAt: column.path) }
        let family = query.includesSubentities ? mapping.familyNumbers : [mapping.number]
        return try reporting("be read") {
            var scan = SectionScan()
            var last = LastValue()
            let statement = try prepare(compiled)
            scan.addresses = try addresses(of: statement, family: family) {
                if last.take(from: statement, 2) { scan.runs.append((value(of: column, statement), 0)) }
                scan.runs[scan.runs.count - 1].count += 1
            }
            return scan
        }
    }

    private func value(of column: SectionColumn, _ statement: Statement) -> Any? {
        do {
            return try SlotCoding.value(
                of: StoredValue(statement, 2), column.kind, column.attribute, from: self
            )
        } catch {
            note((error as? ValueRejection)?.description ?? "A value of '\(column.attribute.name)' cannot be read.")
            return nil
        }
    }
}

/// The stored value of the previous row.
private struct LastValue {
    /// The value's type; nil before the first row.
    private var type: ValueType?
    private var bits: Int64 = 0
    private var bytes: [UInt8] = []

    /// Stores a row's value; returns false if it is the same as that of the previous row.
    mutating func take(from statement: Statement, _ column: Int) -> Bool {
        let former = type
        let present = statement.columnType(column)
        type = present
        switch present {
        case .null: return former != .null
        case .integer: return takeBits(statement.int64(column), isSameType: former == .integer)
        case .real:
            return takeBits(
                Int64(bitPattern: statement.double(column).bitPattern), isSameType: former == .real)
        case .text: return takeBytes(statement.textBytes(column), isSameType: former == .text)
        case .blob: return takeBytes(statement.blobBytes(column), isSameType: former == .blob)
        }
    }

    private mutating func takeBits(_ present: Int64, isSameType: Bool) -> Bool {
        defer { bits = present }
        return !isSameType || bits != present
    }

    private mutating func takeBytes(_ present: UnsafeRawBufferPointer, isSameType: Bool) -> Bool {
        if isSameType, present.count == bytes.count, present.elementsEqual(bytes) { return false }
        bytes = Array(present)
        return true
    }
}
