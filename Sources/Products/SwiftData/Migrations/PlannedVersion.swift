import CoreDataGraph
import CoreDataMigration
import Foundation

/// A version of a migration plan, or the schema of the container at its end.
struct PlannedVersion {
    let schema: Schema
    let model: NSManagedObjectModel
    /// The type that declares the version; nil for the schema of a container that no version of the plan equals.
    let type: (any VersionedSchema.Type)?

    init(_ type: any VersionedSchema.Type) {
        self.init(schema: Schema(versionedSchema: type), type: type)
    }

    init(schema: Schema, type: (any VersionedSchema.Type)? = nil) {
        self.schema = schema
        self.type = type
        model = schema.makeManagedObjectModel()
    }

    var name: String {
        type.map { "\(schema.version) (\($0))" } ?? "\(schema.version)"
    }

    /// Whether a store is of the version.
    ///
    /// - Parameter isPart: whether the store may lack entities of the version, which other stores then have.
    func agrees(with stored: [String: Data], isPart: Bool) -> Bool {
        let hashes = model.entityVersionHashesByName
        return isPart ? !stored.isEmpty && hashes.filter { stored[$0.key] != nil } == stored : hashes == stored
    }

    func isDeclared(by other: any VersionedSchema.Type) -> Bool {
        type.map { ObjectIdentifier($0) == ObjectIdentifier(other) } ?? false
    }

    /// The differences of a store from the version, each in some words, without those that stores do not show.
    func differences(from stored: [String: Data], _ kept: NSManagedObjectModel?) -> [String] {
        guard let kept else {
            let hashes = model.entityVersionHashesByName
            return Set(hashes.keys).union(stored.keys).filter { hashes[$0] != stored[$0] }.sorted()
                .map { "entity \($0)" }
        }
        return ModelDifference(from: model, to: kept).changes.filter(\.changesVersionHash).map(\.textOfStore)
    }
}

extension ModelChange {
    /// What a store has, or lacks, that the version of a plan has not, or has.
    fileprivate var textOfStore: String {
        let subject = "\(item.kind.rawValue) \(item.path)"
        switch action {
        case .added: return "\(subject) is only in the store"
        case .removed: return "\(subject) is not in the store"
        case .renamed(let name): return "\(subject) of the store is \(name) in the version"
        case .moved: return "\(subject) is inherited otherwise in the store"
        case .changed:
            let aspects = aspects.filter(\.isHashed).map {
                "\($0.name) is \($0.new ?? "none") in the store and \($0.old ?? "none") in the version"
            }
            return "\(subject): \(aspects.joined(separator: ", "))"
        }
    }
}
