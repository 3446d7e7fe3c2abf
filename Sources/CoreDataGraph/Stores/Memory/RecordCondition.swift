import CoreDataModeling

/// A predicate made ready for many rows: plain comparisons of an attribute with a constant look at the row's slot alone.
///
/// Everything else goes to the evaluator, which is given a `StoredRecord`.
struct RecordCondition {
    private indirect enum Node {
        case all([Node])
        case any([Node])
        case not(Node)
        case constant(Bool)
        case integer(property: String, NSComparisonPredicate.Operator, Int64, NSPredicate)
        case text(property: String, isEqual: Bool, [UInt8], NSPredicate)
        case evaluated(NSPredicate)
    }

    private let tables: RecordTables
    private let node: Node

    init(_ predicate: NSPredicate, of tables: RecordTables) {
        self.tables = tables
        node = Self.node(PredicateNode(predicate))
    }

    func holds(_ row: RowReference) throws -> Bool { try holds(node, row) }

    private func holds(_ node: Node, _ row: RowReference) throws -> Bool {
        switch node {
        case .all(let parts): return try parts.allSatisfy { try holds($0, row) }
        case .any(let parts): return try parts.contains { try holds($0, row) }
        case .not(let part): return try !holds(part, row)
        case .constant(let value): return value
        case .integer(let property, let operation, let value, let predicate):
            guard let slot = plainSlot(property, row), row.slab.tag(row.index, slot) == RowTag.integer else {
                return try evaluated(predicate, row)
            }
            return Self.holds(operation, row.slab.integer(row.index, slot), value)
        case .text(let property, let isEqual, let bytes, let predicate):
            guard let slot = plainSlot(property, row), row.slab.tag(row.index, slot) == RowTag.text else {
                return try evaluated(predicate, row)
            }
            return row.slab.bytes(row.index, slot).elementsEqual(bytes) == isEqual
        case .evaluated(let predicate): return try evaluated(predicate, row)
        }
    }

    private func evaluated(_ predicate: NSPredicate, _ row: RowReference) throws -> Bool {
        try evaluation(of: predicate, on: StoredRecord(row, of: tables))
    }

    /// The slot of an attribute that is compared by the number or text that its slot holds.
    private func plainSlot(_ property: String, _ row: RowReference) -> Int? {
        let layout = row.slab.layout
        guard case .attribute(let slot) = layout.places[property], slot < layout.storedCount,
            case .attribute(_, let kind) = layout.slots[slot].content
        else { return nil }
        switch kind {
        case .integer16, .integer32, .integer64, .string: return slot
        default: return nil
        }
    }

    private static func holds(
        _ operation: NSComparisonPredicate.Operator, _ left: Int64, _ right: Int64
    ) -> Bool {
        switch operation {
        case .lessThan: left < right
        case .lessThanOrEqualTo: left <= right
        case .greaterThan: left > right
        case .greaterThanOrEqualTo: left >= right
        case .notEqualTo: left != right
        default: left == right
        }
    }

    // MARK: Making ready

    private static func node(_ node: PredicateNode) -> Node {
        switch node {
        case .constant(let value): .constant(value)
        case .and(let parts): .all(parts.map { self.node($0) })
        case .or(let parts): .any(parts.map { self.node($0) })
        case .not(let part): .not(self.node(part))
        case .comparison(let comparison): plain(comparison) ?? .evaluated(comparison)
        case .opaque(let predicate): .evaluated(predicate)
        }
    }

    private static func plain(_ comparison: NSComparisonPredicate) -> Node? {
        guard comparison.comparisonPredicateModifier == .direct, comparison.options.isEmpty,
            case .keyPath(nil, let path) = comparison.leftExpression.form, !path.contains("."),
            case .constant(let value?) = comparison.rightExpression.form
        else { return nil }
        let operation = comparison.predicateOperatorType
        if let text = value as? String, operation == .equalTo || operation == .notEqualTo {
            return .text(property: path, isEqual: operation == .equalTo, Array(text.utf8), comparison)
        }
        let orders: Set<NSComparisonPredicate.Operator> = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
        ]
        guard case .integer(let integer) = ExactNumber(value), orders.contains(operation) else { return nil }
        return .integer(property: path, operation, integer, comparison)
    }
}
