import Foundation
import Synchronization

/// The entities that models declare, with their version.
public final class Schema: Hashable, CustomDebugStringConvertible, @unchecked Sendable {
    /// The version of the schema; 1.0.0 unless one is given.
    public let version: Version
    /// The entities, sorted by name. Those that a model of the schema is related to are among them.
    public let entities: [Entity]
    /// The model classes, in the order of `entities`.
    let plans: [ModelPlan]
    /// Why the schema cannot be used; thrown when a container is made of it.
    let problems: [SwiftDataError]

    /// Makes a schema of model classes, their superclasses and those that they are related to. Name subclasses: a
    /// superclass does not lead to them.
    public init(_ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)) {
        var reading = SchemaReading()
        for type in types { reading.add(type) }
        self.version = version
        plans = reading.plans.sorted { $0.name < $1.name }
        entities = plans.map(Entity.init(plan:))
        Self.linkHierarchies(entities)
        problems = reading.problems + InverseRules.resolve(entities, plans)
    }

    private static func linkHierarchies(_ entities: [Entity]) {
        for entity in entities {
            guard let superplan = entity.plan.superplan else { continue }
            entity.superentity = entities.first { $0.plan === superplan }
        }
    }

    /// Makes a schema of model classes and those that they are related to.
    public convenience init(_ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)) {
        self.init(types, version: version)
    }

    /// Makes the schema of a version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }

    /// The entities by name.
    public var entitiesByName: [String: Entity] {
        Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The entity of a model class; nil if the schema has another class of that name, or none.
    public func entity<Model: PersistentModel>(for type: Model.Type) -> Entity? {
        entities.first { ObjectIdentifier($0.plan.type) == ObjectIdentifier(type) }
    }

    /// The name of the entity of a model class: the name of the class without its module.
    public static func entityName<Model: PersistentModel>(for type: Model.Type) -> String { String(describing: type) }

    public static func == (one: Schema, other: Schema) -> Bool {
        one.version == other.version
            && one.plans.map { ObjectIdentifier($0.type) } == other.plans.map { ObjectIdentifier($0.type) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(plans.map { ObjectIdentifier($0.type) })
    }

    public var debugDescription: String { "Schema \(version): " + entities.map(\.name).joined(separator: ", ") }
}

/// The model classes of one version of a program.
public protocol VersionedSchema {
    /// The version.
    static var versionIdentifier: Schema.Version { get }
    /// The model classes of the version.
    static var models: [any PersistentModel.Type] { get }
}
