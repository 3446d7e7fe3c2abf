import CoreDataStore

/// Reads the values of one column from rows.
struct RecordColumn {
    private let column: ValueColumn
    private let source: any RecordFinding
    /// The path to a stored value; nil if the column's expression must be evaluated.
    private let path: ValuePath?

    init(_ column: ValueColumn, query: ValueQuery, source: any RecordFinding) {
        self.column = column
        self.source = source
        let entity = query.binding.layout.entity
        switch (column.content, column.expression.form) {
        case (.calculation, _): path = nil
        case (_, .evaluatedObject): path = ValuePath("self", from: entity)
        case (_, .keyPath(nil, let keys)): path = ValuePath(keys, from: entity)
        default: path = nil
        }
    }

    /// The value for the result, as an object of the column's type.
    func cell(of row: RowSnapshot) throws -> AnyObject? {
        guard case .calculation(let type) = column.content else { return ValueBox.object(try value(of: row)) }
        return try ValueBox.object(try value(of: row), as: type, column: column.name)
    }

    /// The value as operand of expressions.
    func value(of row: RowSnapshot) throws -> Any? {
        guard let path else {
            return try column.expression.value(on: StoredRecord(row, of: source))
        }
        guard let end = self.row(at: path, from: row) else { return nil }
        guard let attribute = path.attribute else {
            return end.slab.binding.storeReference?.identifier(of: end.slab.binding, key: end.key)
        }
        guard case .attribute(let slot) = end.slab.layout.places[attribute.name] else { return nil }
        let value = try? SlotCoding.value(
            end.slab, index: end.index, slot: slot, kind: AttributeKind(attribute), attribute: attribute)
        guard !path.elementPath.isEmpty else { return value }
        return (value as? [String: Any]).flatMap { CompositeCoding.value(at: path.elementPath, in: $0) }
    }

    /// The key that decides whether two values are equal. For transformable and composite attributes it is made of the
    /// stored bytes.
    func identity(of row: RowSnapshot) throws -> ValueKey {
        guard let path, let attribute = path.attribute, path.elementPath.isEmpty,
            [.transformable, .composite].contains(AttributeKind(attribute))
        else { return ValueKey(try value(of: row)) }
        guard let end = self.row(at: path, from: row),
            case .attribute(let slot) = end.slab.layout.places[attribute.name],
            end.slab.tag(end.index, slot) == RowTag.blob
        else { return .null }
        return .bytes(Array(end.slab.bytes(end.index, slot)))
    }

    /// The row at the end of the path's relationships; nil if one of them is nil or refers to a deleted record.
    private func row(at path: ValuePath, from start: RowSnapshot) -> RowSnapshot? {
        var row = start
        for relationship in path.relationships {
            guard case .toOne(let slot) = row.slab.layout.places[relationship.name],
                let reference = row.slab.reference(row.index, slot),
                let root = relationship.destinationEntity.flatMap(source.model.layout(of:))?.root,
                let next = source.row(root: root, key: reference.key)
            else { return nil }
            row = next
        }
        return row
    }
}
