/// The versions of a program's schema, and how stores are migrated from one to the next.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages between the versions. Two neighbours in `schemas` without a stage are migrated by inference.
    static var stages: [MigrationStage] { get }
}

/// A step from one version of a schema to another.
///
/// The functions of a custom stage have a context of a copy of the store, and may be called on any thread. Changes that
/// they leave unsaved are saved. An error that they throw ends the migration, and the store is as it was.
public enum MigrationStage: @unchecked Sendable {
    /// Migration by inference: properties are added, removed, and renamed by their `originalName`.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// Migration by inference, with functions that run before, on models of the old version, and after it, on models of
    /// the new one.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
    /// Migration by inference, with a function that then has the models of both versions: the old ones, which it may
    /// only read, and the new ones. Not in Apple's framework.
    case transform(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        migrate: (_ old: ModelContext, _ new: ModelContext) throws -> Void)
}

extension MigrationStage {
    var fromVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(let version, _), .custom(let version, _, _, _), .transform(let version, _, _): version
        }
    }

    var toVersion: any VersionedSchema.Type {
        switch self {
        case .lightweight(_, let version), .custom(_, let version, _, _), .transform(_, let version, _): version
        }
    }
}
