import CoreDataGraph
import Foundation

extension ModelContainer {
    /// Opens or makes the stores of a schema. Stores of older versions are migrated by the plan, or without one by
    /// inference.
    ///
    /// - Throws: `SwiftDataError.loadIssueModelContainer` for a schema that cannot be stored and for a stage that
    ///   failed, `SwiftDataError.unknownSchema` for a store of no version of the plan, `.backwardMigration` for one of
    ///   a newer version, an error of `CocoaError` for a store that cannot be opened.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration]
    ) throws {
        if let problem = schema.problems.first { throw problem }
        let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
        try Self.check(given, schema)
        if let migrationPlan {
            for configuration in given {
                if configuration.isOnServer {
                    try configuration.expectPresentVersion(of: schema)
                } else {
                    try PlannedMigration.run(migrationPlan, to: schema, configuration)
                }
            }
        }
        try self.init(schema, given, plan: migrationPlan)
    }

    /// Opens or makes the stores of a schema.
    public convenience init(
        for schema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
    ) throws {
        try self.init(for: schema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens or makes the stores of model classes and those that they are related to.
    public convenience init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(types), migrationPlan: migrationPlan, configurations: configurations)
    }

    private static func check(_ configurations: [ModelConfiguration], _ schema: Schema) throws {
        var urls: Set<URL> = []
        for configuration in configurations {
            try configuration.checkName()
            guard configuration.isStoredInMemoryOnly || urls.insert(configuration.url).inserted else {
                throw SwiftDataError.duplicateConfiguration.stating(
                    "Two configurations name the file \(configuration.url.path).")
            }
            let known = Set(schema.plans.map { ObjectIdentifier($0.type) })
            if let stranger = configuration.schema?.plans.first(where: { !known.contains(ObjectIdentifier($0.type)) }) {
                throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.stating(
                    "Configuration '\(configuration.name)' has \(stranger.name), which the container's schema lacks.")
            }
        }
    }
}

extension ModelConfiguration {
    /// Checks that the name can be that of a file, for a store that is named by it.
    fileprivate func checkName() throws {
        guard !isStoredInMemoryOnly, url.lastPathComponent == "\(name).store" || name.contains("/") else { return }
        guard !name.isEmpty, !name.contains("/"), !name.contains("\0"), groupContainer.name?.contains("/") != true
        else {
            throw SwiftDataError.configurationFileNameContainsInvalidCharacters.stating(
                "'\(name)' cannot be the name of a file.")
        }
        guard name.utf8.count <= 240 else {
            throw SwiftDataError.configurationFileNameTooLong.stating(
                "The name of a configuration has \(name.utf8.count) bytes; at most 240 are the name of a file.")
        }
    }
}
