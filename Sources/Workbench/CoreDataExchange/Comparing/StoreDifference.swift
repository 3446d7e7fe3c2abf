import CoreData

/// An object that differs between two stores, or that only one of them has.
package struct StoreDifference {
    package enum Kind: String, CaseIterable, Sendable {
        case onlyInA
        case onlyInB
        case changed
    }

    /// A property that differs, with both values.
    package struct Property {
        package let name: String
        package let left: JSONValue
        package let right: JSONValue
    }

    package let kind: Kind
    /// The address of the object in A, `Entity/p1`; nil if only B has the object. `right` is its address in B.
    package let left: String?
    package let right: String?
    /// The properties that differ; empty for an object of one store.
    package let properties: [Property]

    /// The name of the object's entity; in both stores, that of A.
    package var entity: String { String((left ?? right ?? "").prefix { $0 != "/" }) }

    /// The same difference with the stores in the other order.
    package var reversed: StoreDifference {
        let kind: Kind =
            switch kind {
            case .onlyInA: .onlyInB
            case .onlyInB: .onlyInA
            case .changed: .changed
            }
        return StoreDifference(
            kind: kind, left: right, right: left,
            properties: properties.map { Property(name: $0.name, left: $0.right, right: $0.left) })
    }

    /// `{"kind", "a", "b", "properties"}`: their names, or where `hasValues` `{name: {"a", "b"}}`.
    package func json(hasValues: Bool) -> JSONValue {
        let names = JSONValue.array(properties.map { .string($0.name) })
        let values = JSONValue.object(
            properties.map { ($0.name, .object([("a", $0.left), ("b", $0.right)])) })
        return .object([
            ("kind", .string(kind.rawValue)), ("a", .text(left)), ("b", .text(right)),
            ("properties", hasValues ? values : names),
        ])
    }
}

/// The result of the comparison of two stores: numbers of equal and different objects.
package struct ComparisonSummary: Sendable {
    /// The numbers of equal objects, of objects of one store, and of objects that differ.
    package struct Counts: Equatable, Sendable {
        package internal(set) var equal = 0
        package internal(set) var onlyInA = 0
        package internal(set) var onlyInB = 0
        package internal(set) var changed = 0

        mutating func add(_ kind: StoreDifference.Kind?) {
            switch kind {
            case nil: equal += 1
            case .onlyInA: onlyInA += 1
            case .onlyInB: onlyInB += 1
            case .changed: changed += 1
            }
        }

        var members: [(String, JSONValue)] {
            [
                ("equal", .count(equal)), ("onlyInA", .count(onlyInA)), ("onlyInB", .count(onlyInB)),
                ("changed", .count(changed)),
            ]
        }
    }

    /// The counts of all objects.
    package private(set) var total = Counts()
    /// The counts by entity name.
    package private(set) var entities: [String: Counts] = [:]

    package var equal: Int { total.equal }
    package var onlyInA: Int { total.onlyInA }
    package var onlyInB: Int { total.onlyInB }
    package var changed: Int { total.changed }
    /// Entities and properties that only one model has, and properties whose kinds differ.
    package internal(set) var notCompared: [String] = []

    /// Whether all objects that can be compared are the same.
    package var isEqual: Bool { onlyInA + onlyInB + changed == 0 }

    /// Counts an object; `kind` is nil for one that is the same in both stores.
    mutating func add(_ kind: StoreDifference.Kind?, of entity: String) {
        total.add(kind)
        entities[entity, default: Counts()].add(kind)
    }

    /// `{"kind": "summary", "equal", "onlyInA", "onlyInB", "changed", "notCompared", "entities": {name: {…}}}`
    package var json: JSONValue {
        .object(
            [("kind", .string("summary"))] + total.members + [
                ("notCompared", .array(notCompared.map { .string($0) })),
                ("entities", .sorted(entities.mapValues { .object($0.members) })),
            ])
    }
}
