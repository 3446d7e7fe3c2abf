import CoreData

extension StoreReport {
    /// The report as JSON; its first members are `type`, `uuid`, `frameworkVersion`, `model` and `entities`.
    package var json: JSONValue {
        .object([
            ("type", .string(facts.type.rawValue)), ("uuid", .text(facts.uuid)),
            ("frameworkVersion", .count(facts.frameworkVersion)), ("model", model?.json ?? .null),
            ("entities", .array(entities.map(\.json))),
            ("indexes", .array(indexes.map(\.json))),
            ("tables", tables.map { .array($0.map(\.json)) } ?? .null),
            ("history", hasHistory.map { .bool($0) } ?? .null),
            ("transactions", historySpan?.json ?? .null),
            ("storedModel", storedModel), ("metadata", metadata), ("path", .string(facts.url.place)),
            ("size", .count(facts.size)), ("walSize", .count(facts.walSize)),
            ("problems", .array(problems.map { .string($0) })),
        ])
    }

    /// The checksum and version identifiers, in the metadata, of the model that the store was made with.
    private var storedModel: JSONValue {
        .object([
            ("checksum", .text(facts.checksum)),
            ("versionIdentifiers", .array(facts.versionIdentifiers.sorted().map { .string($0) })),
        ])
    }

    /// The metadata without the version hashes, which are part of the entities.
    private var metadata: JSONValue {
        let shown = facts.metadata.filter { $0.key != NSStoreModelVersionHashesKey }
        return .sorted(shown.mapValues { ValueCoding.json($0, .undefined) })
    }
}

extension StoreReport.Entity {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("superentity", .text(superentity)),
            ("abstract", isAbstract.map { .bool($0) } ?? .null), ("count", .count(count)),
            ("countWithSubentities", .count(countWithSubentities)), ("hash", .text(hash?.base64EncodedString())),
            ("hashMatches", hashMatches.map { .bool($0) } ?? .null),
        ])
    }
}

extension StoreIndex {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("table", .string(table)), ("columns", .array(columns.map { .string($0) })),
            ("unique", .bool(isUnique)),
        ])
    }
}

extension StoreTable {
    fileprivate var json: JSONValue { .object([("name", .string(name)), ("rows", .count(rows))]) }
}

extension StoreModel {
    fileprivate var json: JSONValue {
        .object([
            ("source", .string(source.rawValue)), ("checksum", .string(model.versionChecksum)),
            ("versionIdentifiers", model.versionIdentifierReport), ("version", .text(versionName)),
            ("configuration", .text(configuration)), ("versions", .array(fits.map(\.json))),
            (
                "unreadable",
                .array(unreadable.map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
            ),
        ])
    }
}

extension ModelFit {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(version.name)), ("isCurrent", .bool(version.isCurrent)),
            ("checksum", .string(version.model.versionChecksum)), ("matches", .bool(matches)),
            ("differing", .array(differences.map { .string($0.entity) })),
        ])
    }
}
