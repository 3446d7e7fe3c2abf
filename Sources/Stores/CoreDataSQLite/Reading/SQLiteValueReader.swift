import CoreDataSQL
import SQLiteKit

/// Reads the values of a statement, row by row, as the objects that fetch results of dictionaries contain.
///
/// A value that does not fit its attribute becomes nil and is reported.
struct SQLiteValueReader {
    private let file: StoreFile
    private let columns: [(column: ValueColumn, shape: CompiledValues.Shape)]
    /// The cells of attributes with simple types, whose objects are made without using the attribute's description.
    private let plain: [PlainSlot?]
    private var numbers = NumberPool()
    private static let rowsAtOnce = 2_048

    init(file: StoreFile, query: ValueQuery, shapes: [CompiledValues.Shape]) {
        self.file = file
        columns = zip(query.columns, shapes).map { ($0, $1) }
        plain = columns.map { column, shape in
            guard case .stored(let cell) = shape, case .attribute(_, let kind) = column.content else { return nil }
            return kind.plain.map { PlainSlot(number: cell, kind: $0) }
        }
    }

    /// Passes the rows to `body`, some at a time.
    mutating func read(_ statement: Statement, _ body: (ValueTable) -> Void) throws {
        var table = ValueTable(width: columns.count)
        var count = 0
        var rowsLeft = Self.rowsAtOnce
        var allowed = 10_000
        // Uses a buffer to avoid reference counting for each cell.
        try plain.withUnsafeBufferPointer { plain in
            while try statement.step() {
                count += 1
                if count > allowed { try file.checkCount(count, allowed: &allowed) }
                if rowsLeft == 0 {
                    body(table)
                    table = ValueTable(width: columns.count, capacity: Self.rowsAtOnce)
                    rowsLeft = Self.rowsAtOnce
                }
                rowsLeft -= 1
                let row = table.appendRow()
                for number in plain.indices {
                    (row + number).initialize(to: try cell(number, slot: plain[number], statement: statement))
                }
            }
        }
        body(table)
    }

    @inline(__always) private mutating func cell(
        _ number: Int, slot: PlainSlot?, statement: Statement
    ) throws -> AnyObject? {
        if let slot, let object = object(in: slot, statement) { return object }
        return try value(columns[number].column, shape: columns[number].shape, statement: statement)
    }

    /// Returns the object for a value if the cell has the expected storage class; otherwise nil.
    private mutating func object(in slot: PlainSlot, _ statement: Statement) -> AnyObject? {
        let cell = statement.cell(slot.number)
        switch (slot.kind, cell.type) {
        case (.integer64, .integer): return numbers.number(cell.int64)
        case (.integer32, .integer): return Int32(exactly: cell.int64).map { numbers.number(Int64($0)) }
        case (.integer16, .integer): return Int16(exactly: cell.int64).map { numbers.number(Int64($0)) }
        case (.boolean, .integer): return numbers.flag(cell.int64 != 0)
        case (.real, .real): return numbers.number(cell.double)
        case (.date, .real): return NSDate(timeIntervalSinceReferenceDate: cell.double)
        case (.text, .text): return NSString(string: String(decoding: statement.textBytes(slot.number), as: UTF8.self))
        default: return nil
        }
    }

    private func value(
        _ column: ValueColumn, shape: CompiledValues.Shape, statement: Statement
    ) throws -> AnyObject? {
        switch (shape, column.content) {
        case (.stored(let cell), .attribute(let attribute, let kind)):
            return stored(cell, attribute: attribute, kind: kind, statement: statement)
        case (.composite(let cells), .attribute(let attribute, _)):
            return composite(cells, attribute: attribute, statement: statement)
        case (.reference(let key, let entity), _): return reference(key, entity: entity, statement: statement)
        case (.calculated(let cell, let kind), let content):
            let value = SQLFunctionLibrary.value(QueryFunctions.parameter(statement.value(cell)), ofKind: kind)
            guard case .calculation(let type) = content else { return ValueBox.object(value) }
            return try ValueBox.object(value, as: type, column: column.name)
        case (.entityName(let cell), _):
            guard !statement.isNull(cell) else { return nil }
            return file.plan(number: statement.int64(cell)).map { NSString(string: $0.mapping.name) }
        case (.null, _), (.stored, _), (.composite, _): return nil
        }
    }

    // MARK: Attributes

    private func stored(
        _ cell: Int, attribute: NSAttributeDescription, kind: AttributeKind, statement: Statement
    ) -> AnyObject? {
        let type = statement.columnType(cell)
        return type == .null ? nil : decoded(StoredValue(statement, cell, of: type), attribute: attribute, kind: kind)
    }

    private func decoded(
        _ stored: StoredValue, attribute: NSAttributeDescription, kind: AttributeKind
    ) -> AnyObject? {
        do {
            return ValueBox.object(try SlotCoding.value(of: stored, kind, attribute, from: file))
        } catch {
            file.note(
                (error as? ValueRejection)?.description ?? "A value of '\(attribute.name)' cannot be read: \(error)")
            return nil
        }
    }

    private func composite(
        _ cells: [Int?], attribute: NSAttributeDescription, statement: Statement
    ) -> AnyObject? {
        var coding = CompositeCoding()
        for cell in cells {
            guard let cell else {
                coding.append(RowTag.null, bits: 0)
                continue
            }
            let stored = StoredValue(statement, cell)
            if stored.tag == RowTag.text || stored.tag == RowTag.blob {
                coding.append(stored.tag, bytes: stored.bytes)
            } else {
                coding.append(stored.tag, bits: stored.bits)
            }
        }
        guard !coding.isNull else { return nil }
        return coding.bytes.withUnsafeBytes {
            decoded(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0), attribute: attribute, kind: .composite)
        }
    }

    // MARK: Objects

    private func reference(_ key: Int, entity: Int, statement: Statement) -> AnyObject? {
        guard statement.columnType(key) == .integer, statement.columnType(entity) == .integer,
            let plan = file.plan(number: statement.int64(entity))
        else { return nil }
        return plan.binding.storeReference?.identifier(of: plan.binding, key: statement.int64(key))
    }
}

/// Makes numbers; frequent small integers and Booleans are shared objects.
private struct NumberPool {
    private var small = ContiguousArray<NSNumber?>(repeating: nil, count: 1024)
    private let integers = NumberForm.integers
    private let reals = NumberForm.reals
    private let flags = (false: NSNumber(value: false), true: NSNumber(value: true))

    mutating func number(_ value: Int64) -> NSNumber {
        guard value >= 0 && value < small.count else { return integers.number(value) }
        if let known = small[Int(value)] { return known }
        let number = integers.number(value)
        small[Int(value)] = number
        return number
    }

    func number(_ value: Double) -> NSNumber { reals.number(value) }

    func flag(_ value: Bool) -> NSNumber { value ? flags.true : flags.false }
}
