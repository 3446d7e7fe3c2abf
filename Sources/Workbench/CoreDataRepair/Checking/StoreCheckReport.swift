import CoreData

/// What the check of a store found.
package struct StoreCheckReport: Sendable {
    package let url: URL
    package internal(set) var findings: FindingList
    /// Sentences about facts that are not faults, and about parts of the store that could not be checked.
    package internal(set) var remarks: [String] = []

    package var isSound: Bool { findings.count == 0 }

    /// `{"path", "sound", "count", "repairable", "counts", "findings", "remarks"}`
    package var json: JSONValue {
        let counts = Dictionary(uniqueKeysWithValues: findings.counts.map { ($0.rawValue, JSONValue.count($1)) })
        return .object([
            ("path", .string(url.path)), ("sound", .bool(isSound)), ("count", .count(findings.count)),
            ("repairable", .count(findings.repairable)), ("counts", .sorted(counts)),
            ("findings", .array(findings.listed.map(\.json))), ("remarks", .array(remarks.map { .string($0) })),
        ])
    }
}

extension StoreFinding {
    fileprivate var json: JSONValue {
        .object([
            ("kind", .string(kind.rawValue)), ("entity", .text(entity)), ("object", .text(object)),
            ("property", .text(property)), ("sentence", .string(sentence)), ("repairable", .bool(isRepairable)),
            ("remedy", .text(remedy)),
        ])
    }
}
