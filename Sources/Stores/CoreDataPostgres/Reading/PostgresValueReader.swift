import CoreDataSQL
import PostgresKit

/// Converts the rows of a result to the objects that fetch results of dictionaries contain.
///
/// A value that does not fit its attribute becomes nil.
struct PostgresValueReader {
    private let shape: PostgresShape
    private let columns: [(column: ValueColumn, shape: CompiledValues.Shape)]

    init(_ shape: PostgresShape, query: ValueQuery, shapes: [CompiledValues.Shape]) {
        self.shape = shape
        columns = zip(query.columns, shapes).map { ($0, $1) }
    }

    func table(_ result: PostgresResult) throws -> ValueTable {
        let table = ValueTable(width: columns.count, capacity: result.rowCount)
        for row in 0..<result.rowCount {
            for (column, shape) in columns { table.append(try value(column, shape: shape, row: row, result: result)) }
        }
        return table
    }

    private func value(
        _ column: ValueColumn, shape: CompiledValues.Shape, row: Int, result: PostgresResult
    ) throws -> AnyObject? {
        switch (shape, column.content) {
        case (.stored(let cell), .attribute(let attribute, let kind)):
            guard let type = ColumnType(attribute.attributeType) else { return nil }
            return result.withStored(row, column: cell, type: type) { decoded($0, attribute: attribute, kind: kind) }
        case (.composite(let cells), .attribute(let attribute, _)):
            return composite(cells, attribute: attribute, row: row, result: result)
        case (.reference(let key, let entity), _): return reference(key, entity: entity, row: row, result: result)
        case (.calculated(let cell, let kind), let content):
            let value = SQLFunctionLibrary.value(result.parameter(row, cell), ofKind: kind)
            guard case .calculation(let type) = content else { return ValueBox.object(value) }
            return try ValueBox.object(value, as: type, column: column.name)
        case (.entityName(let cell), _):
            let number = result.isNull(row, cell) ? nil : result.int64(row, cell)
            return number.flatMap { self.shape.table(number: $0) }.map { NSString(string: $0.mapping.name) }
        case (.null, _), (.stored, _), (.composite, _): return nil
        }
    }

    private func decoded(
        _ stored: StoredValue, attribute: NSAttributeDescription, kind: AttributeKind
    ) -> AnyObject? {
        (try? SlotCoding.value(of: stored, kind, attribute, from: ValuesInRows())).flatMap { ValueBox.object($0) }
    }

    private func composite(
        _ cells: [Int?], attribute: NSAttributeDescription, row: Int, result: PostgresResult
    ) -> AnyObject? {
        let columns = zip(cells, CompositeCoding.leaves(of: attribute)).map { cell, leaf in
            cell.flatMap { cell in ColumnType(leaf.attribute.attributeType).map { (column: cell, type: $0) } }
        }
        let coding = CompositeCoding.elements(columns, row, of: result)
        guard !coding.isNull else { return nil }
        return coding.bytes.withUnsafeBytes {
            decoded(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0), attribute: attribute, kind: .composite)
        }
    }

    private func reference(_ key: Int, entity: Int, row: Int, result: PostgresResult) -> AnyObject? {
        guard let key = result.int64(row, key), let number = result.int64(row, entity),
            let table = shape.table(number: number)
        else { return nil }
        return table.binding.storeReference?.identifier(of: table.binding, key: key)
    }
}
