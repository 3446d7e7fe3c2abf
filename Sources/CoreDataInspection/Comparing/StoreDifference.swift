import CoreData

/// One object that is not the same in two stores.
package struct StoreDifference {
    package enum Kind: String, Sendable {
        case onlyInA
        case onlyInB
        case changed
    }

    /// One property that is not the same.
    package struct Property {
        package let name: String
        package let left: JSONValue
        package let right: JSONValue
    }

    package let kind: Kind
    /// The addresses of the object in the stores, without these.
    package let left: String?
    package let right: String?
    /// The properties that differ; empty for an object of one store.
    package let properties: [Property]

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

/// What came of the comparison of two stores.
package struct ComparisonSummary: Sendable {
    package internal(set) var equal = 0
    package internal(set) var onlyInA = 0
    package internal(set) var onlyInB = 0
    package internal(set) var changed = 0
    /// Entities and properties that only one model has, or that differ in nature.
    package internal(set) var notCompared: [String] = []

    /// Whether all objects that can be compared are the same.
    package var isEqual: Bool { onlyInA + onlyInB + changed == 0 }

    /// `{"kind": "summary", "equal", "onlyInA", "onlyInB", "changed", "notCompared"}`
    package var json: JSONValue {
        .object([
            ("kind", .string("summary")), ("equal", .count(equal)), ("onlyInA", .count(onlyInA)),
            ("onlyInB", .count(onlyInB)), ("changed", .count(changed)),
            ("notCompared", .array(notCompared.map { .string($0) })),
        ])
    }
}
