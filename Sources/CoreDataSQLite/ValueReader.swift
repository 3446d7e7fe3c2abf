import CoreDataSQL
import SQLiteKit

/// Reads the values of a running statement, row by row, as the objects that dictionaries hold.
///
/// A value that its attribute cannot have is nil and noted.
struct ValueReader {
    private let file: StoreFile
    private let width: Int
    private let columns: [(column: ValueColumn, shape: CompiledValues.Shape)]
    private var numbers = NumberPool()

    init(file: StoreFile, query: ValueQuery, shapes: [CompiledValues.Shape]) {
        self.file = file
        width = query.columns.count
        columns = zip(query.columns, shapes).map { ($0, $1) }
    }

    mutating func read(_ statement: Statement) throws -> ValueTable {
        var table = ValueTable(width: width)
        var count = 0
        var allowed = 10_000
        while try statement.step() {
            count += 1
            if count > allowed { try file.checkCount(count, allowed: &allowed) }
            for (column, shape) in columns { table.append(try value(column, shape, statement)) }
        }
        return table
    }

    private mutating func value(
        _ column: ValueColumn, _ shape: CompiledValues.Shape, _ statement: Statement
    ) throws -> AnyObject? {
        switch (shape, column.content) {
        case (.stored(let cell), .attribute(let attribute, let kind)):
            return stored(cell, attribute, kind, statement)
        case (.composite(let cells), .attribute(let attribute, _)): return composite(cells, attribute, statement)
        case (.reference(let key, let entity), _): return reference(key, entity, statement)
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

    private mutating func stored(
        _ cell: Int, _ attribute: NSAttributeDescription, _ kind: AttributeKind, _ statement: Statement
    ) -> AnyObject? {
        let type = statement.columnType(cell)
        switch (kind, type) {
        case (_, .null): return nil
        case (.integer64, .integer): return numbers.number(statement.int64(cell))
        case (.double, .real), (.float, .real): return NSNumber(value: statement.double(cell))
        case (.string, .text): return NSString(string: String(decoding: statement.textBytes(cell), as: UTF8.self))
        default: return decoded(Self.stored(cell, type, statement), attribute, kind)
        }
    }

    static func stored(_ cell: Int, _ type: ValueType, _ statement: Statement) -> StoredValue {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        return switch type {
        case .null: StoredValue(tag: RowTag.null, bits: 0, bytes: none)
        case .integer: StoredValue(tag: RowTag.integer, bits: UInt64(bitPattern: statement.int64(cell)), bytes: none)
        case .real: StoredValue(tag: RowTag.real, bits: statement.double(cell).bitPattern, bytes: none)
        case .text: StoredValue(tag: RowTag.text, bits: 0, bytes: statement.textBytes(cell))
        case .blob: StoredValue(tag: RowTag.blob, bits: 0, bytes: statement.blobBytes(cell))
        }
    }

    private func decoded(
        _ stored: StoredValue, _ attribute: NSAttributeDescription, _ kind: AttributeKind
    ) -> AnyObject? {
        do {
            return ValueBox.object(try SlotCoding.value(of: stored, kind, attribute, from: file))
        } catch {
            file.note((error as? ValueError)?.description ?? "A value of '\(attribute.name)' cannot be read: \(error)")
            return nil
        }
    }

    private func composite(
        _ cells: [Int?], _ attribute: NSAttributeDescription, _ statement: Statement
    ) -> AnyObject? {
        var coding = CompositeCoding()
        for cell in cells {
            guard let cell else {
                coding.append(RowTag.null, bits: 0)
                continue
            }
            let stored = Self.stored(cell, statement.columnType(cell), statement)
            if stored.tag == RowTag.text || stored.tag == RowTag.blob {
                coding.append(stored.tag, bytes: stored.bytes)
            } else {
                coding.append(stored.tag, bits: stored.bits)
            }
        }
        guard !coding.isNull else { return nil }
        return coding.bytes.withUnsafeBytes {
            decoded(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0), attribute, .composite)
        }
    }

    // MARK: Objects

    private func reference(_ key: Int, _ entity: Int, _ statement: Statement) -> AnyObject? {
        guard statement.columnType(key) == .integer, statement.columnType(entity) == .integer,
            let plan = file.plan(number: statement.int64(entity))
        else { return nil }
        return NSManagedObjectID(binding: plan.binding, key: statement.int64(key))
    }
}

/// Numbers that come again and again are one object.
private struct NumberPool {
    private var objects = ContiguousArray<(value: Int64, object: NSNumber)?>(repeating: nil, count: 1024)

    mutating func number(_ value: Int64) -> NSNumber {
        let place = Int(truncatingIfNeeded: value) & 1023
        if let known = objects[place], known.value == value { return known.object }
        let object = NSNumber(value: value)
        objects[place] = (value, object)
        return object
    }
}
