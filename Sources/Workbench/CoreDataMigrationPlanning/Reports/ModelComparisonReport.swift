import CoreData

/// Compares two models: their differences, and whether a store can be migrated without a mapping model.
package struct ModelComparisonReport {
    package let old: ModelVersion
    package let new: ModelVersion
    package let difference: ModelDifference
    package let analysis: MigrationAnalysis

    /// Compares two versions; information that only source models contain is ignored unless both are source models.
    package init(_ old: ModelVersion, _ new: ModelVersion) {
        self.old = old
        self.new = new
        let difference = ModelDifference(from: old.model, to: new.model)
        let areSources = [old, new].allSatisfy { (try? ModelLocation($0.url))?.form == .source }
        self.difference = areSources ? difference : difference.ofCompiledForms
        analysis = MigrationAnalysis(from: old.model, to: new.model)
    }

    /// Compares the models at two URLs; each may be a model, a package or a store that contains its model.
    ///
    /// If the old URL is a store without a model, the version at the new URL with the store's version hashes replaces
    /// it.
    /// - Throws: `InspectionError`.
    package init(from old: URL, to new: URL) throws {
        let target = try ModelOrigin(at: new)
        let origin: ModelVersion
        do {
            origin = try ModelOrigin(at: old).version()
        } catch let error as InspectionError where error.code == .noModel {
            guard let version = try Self.version(of: old, among: target) else { throw error }
            origin = version
        }
        try self.init(origin, target.version())
    }

    /// Compares two versions of one package, by name; nil is the current one.
    ///
    /// - Throws: `InspectionError`.
    package init(in package: URL, from old: String?, to new: String?) throws {
        let origin = try ModelOrigin(at: package)
        try self.init(origin.version(old), origin.version(new))
    }

    private static func version(of store: URL, among origin: ModelOrigin) throws -> ModelVersion? {
        let hashes = try StoreFacts(at: store).hashes
        return origin.versions.first { ModelFit($0, hashes: hashes).matches }
    }

    /// The comparison as JSON.
    package var json: JSONValue {
        .object([
            ("old", Self.json(old)), ("new", Self.json(new)), ("equal", .bool(difference.isEmpty)),
            ("changes", .array(difference.changes.map(\.json))),
            ("entitiesWithOtherHash", .array(difference.entitiesWithOtherHash.map { .string($0) })),
            (
                "migration",
                .object([
                    ("verdict", .string(analysis.verdict.rawValue)),
                    ("obstacles", .array(analysis.obstacles.map(\.json))),
                    ("losses", .array(analysis.losses.map(\.json))),
                    ("remarks", .array(analysis.remarks.map(\.json))),
                ])
            ),
        ])
    }

    private static func json(_ version: ModelVersion) -> JSONValue {
        .object([
            ("name", .string(version.name)), ("path", .string(version.url.path)),
            ("checksum", .string(version.model.versionChecksum)),
        ])
    }
}

extension ModelItem {
    var members: [(String, JSONValue)] {
        [("kind", .string(kind.rawValue)), ("entity", .text(entity)), ("name", .string(name))]
    }
}

extension ModelChange {
    fileprivate var json: JSONValue {
        .object(
            item.members + action.members + [
                ("changesVersionHash", .bool(changesVersionHash)), ("aspects", .array(aspects.map(\.json))),
            ])
    }
}

extension ModelChange.Action {
    fileprivate var members: [(String, JSONValue)] {
        switch self {
        case .added: [("action", .string("added")), ("from", .array([]))]
        case .removed: [("action", .string("removed")), ("from", .array([]))]
        case .changed: [("action", .string("changed")), ("from", .array([]))]
        case .renamed(let name): [("action", .string("renamed")), ("from", .array([.string(name)]))]
        case .moved(let owners): [("action", .string("moved")), ("from", .array(owners.map { .string($0) }))]
        }
    }
}

extension ModelAspect {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("old", .text(old)), ("new", .text(new)), ("changesVersionHash", .bool(isHashed)),
        ])
    }
}

extension MigrationAnalysis.Finding {
    var json: JSONValue {
        .object(item.members + [("reason", .string(reason)), ("hint", .text(hint))])
    }
}
