import CoreDataStore

/// Finds candidate rows for a predicate by keys or references, without evaluating the predicate on all rows.
///
/// The caller must still evaluate the predicate on the candidates.
struct KeySearch {
    let tables: RecordTables
    let entity: EntityLayout
    let storeIdentifier: String

    /// The keys of all rows that can match the predicate; nil if only evaluating the predicate on every row can
    /// determine them.
    func keys(_ predicate: NSPredicate) -> Set<Int64>? { keys(PredicateNode(predicate)) }

    private func keys(_ node: PredicateNode) -> Set<Int64>? {
        switch node {
        case .constant(false): return []
        case .and(let parts): return parts.compactMap(keys).min { $0.count < $1.count }
        case .or(let parts):
            let found = parts.map(keys)
            return found.contains(nil) ? nil : found.reduce(into: []) { $0.formUnion($1 ?? []) }
        case .comparison(let comparison): return keys(comparison)
        case .constant, .not, .opaque: return nil
        }
    }

    private func keys(_ comparison: NSComparisonPredicate) -> Set<Int64>? {
        guard comparison.comparisonPredicateModifier == .direct else { return nil }
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        switch comparison.predicateOperatorType {
        case .equalTo:
            return keys(of: left, equalTo: right) ?? keys(of: right, equalTo: left)
        case .in:
            guard case .constant(let list) = right.form, let values = elements(of: list) else { return nil }
            return keys(of: left, among: values)
        default: return nil
        }
    }

    private func keys(of expression: NSExpression, equalTo other: NSExpression) -> Set<Int64>? {
        guard case .constant(let value?) = other.form else { return nil }
        return keys(of: expression, among: [value])
    }

    private func keys(of expression: NSExpression, among values: [Any?]) -> Set<Int64>? {
        guard !values.contains(where: { $0 == nil || $0 is NSNull }) else { return nil }
        switch expression.form {
        case .evaluatedObject: return Set(values.compactMap { key(of: $0, root: entity.root) })
        case .keyPath(nil, let path) where ["self", "SELF", "objectID"].contains(path):
            return Set(values.compactMap { key(of: $0, root: entity.root) })
        case .keyPath(nil, let path): return referrers(path, among: values)
        default: return nil
        }
    }

    private func referrers(_ name: String, among values: [Any?]) -> Set<Int64>? {
        guard let relationship = entity.entity.relationshipsByName[name],
            let number = tables.plan.index(of: relationship),
            let destination = relationship.destinationEntity.flatMap(tables.model.layout(of:))
        else { return nil }
        let targets = values.compactMap { key(of: $0, root: destination.root) }
        return targets.reduce(into: []) { $0.formUnion(tables.indexes[number].members(of: $1)) }
    }

    /// The key of the record that a value refers to; nil if the record was never saved, or is in another store or
    /// entity hierarchy.
    private func key(of value: Any?, root: Int) -> Int64? {
        guard let address = (value as? any RecordIdentifying)?.recordAddress,
            address.storeIdentifier == storeIdentifier, tables.model.layout(of: address.entity)?.root == root
        else { return nil }
        return address.key
    }
}
