import CoreDataModeling

/// Changing the schema of a store that is not open, where it is; for kinds of stores that can.
package protocol SchemaMigrating: AnyObject {
    /// Migrates a store to another model by inference, in one transaction.
    ///
    /// - Throws: `NSMigrationError` with the underlying error, `NSMigrationConstraintViolationError` for duplicate values that must be
    ///   unique; the store is then unchanged.
    static func migrateSchema(_ request: SchemaMigrationRequest) throws
    /// Ensures that no other connection has a store open, and that its file is complete.
    ///
    /// Kinds that exchange stores need not: they keep others out while they do.
    /// - Throws: `NSMigrationError` where one has.
    static func requireNoOtherConnection(at url: URL, options: [AnyHashable: Any]) throws
    /// What would be done; nothing is written.
    static func planSchemaMigration(_ request: SchemaMigrationRequest) throws -> SchemaMigrationPlan
    /// Runs a block that migrates a store, one program at a time where several may have the store open.
    ///
    /// The block finds out what is to be done: another program may have done it while this one waited.
    static func migratingAlone(at url: URL, options: [AnyHashable: Any], _ body: () throws -> Void) throws
    /// What puts a store that was made of another's objects in its place, where others may have that open; nil for kinds whose
    /// stores are replaced as files.
    static var storeExchanging: (any StoreExchanging.Type)? { get }
}

extension SchemaMigrating {
    package static var storeExchanging: (any StoreExchanging.Type)? { nil }

    package static func requireNoOtherConnection(at url: URL, options: [AnyHashable: Any]) throws {}

    package static func migratingAlone(at url: URL, options: [AnyHashable: Any], _ body: () throws -> Void) throws {
        try body()
    }
}

/// Finishing what a migration has left for later; for stores that can.
package protocol DeferredMigrating: AnyObject {
    /// Performs one task, in its own transaction; false if no task was left.
    ///
    /// - Throws: `NSMigrationError` with the underlying error; the task remains to be done then.
    func finishDeferredTask() throws -> Bool
}

/// Which store is to be migrated, and from which model to which.
package struct SchemaMigrationRequest {
    package let url: URL
    package let options: [AnyHashable: Any]
    /// The configuration whose entities the store keeps; nil for all.
    package let configuration: String?
    package let source: ModelLayout
    package let destination: ModelLayout
    /// Whether unused columns and tables are left for later.
    package var isDeferring: Bool {
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool ?? false
    }
    /// Whether values that the new model lacks are stored beside its rows.
    package var keepsValues: Bool { options[CoreDataMigrationKeepsValuesOption] as? Bool ?? false }

    package init(
        url: URL, options: [AnyHashable: Any], configuration: String?, source: ModelLayout, destination: ModelLayout
    ) {
        self.url = url
        self.options = options
        self.configuration = configuration
        self.source = source
        self.destination = destination
    }
}

/// What a migration of a schema would do.
package struct SchemaMigrationPlan {
    /// One statement.
    package struct Step {
        package let kind: String
        /// The entity, relationship or table that it is about.
        package let subject: String
        package let statement: String
        /// The rows that it reads or writes; nil where their number plays no part.
        package let rows: Int?
        /// What it locks for others; nil if that is the entire store, or unknown.
        package let lock: Lock?
        /// How long it is expected to take; nil where that is not known.
        package let seconds: Double?
        /// The bytes that it writes; nil where it writes none, or that is not known.
        package let bytes: Int?

        package init(
            kind: String, subject: String, statement: String, rows: Int?, lock: Lock? = nil, seconds: Double? = nil,
            bytes: Int? = nil
        ) {
            self.kind = kind
            self.subject = subject
            self.statement = statement
            self.rows = rows
            self.lock = lock
            self.seconds = seconds
            self.bytes = bytes
        }
    }

    /// What a step keeps others from, until the migration ends.
    package struct Lock {
        /// The table, by the database's name of it.
        package let table: String
        /// The mode, in the database's words.
        package let mode: String
        /// Whether all rows are rewritten, or copied to another table.
        package let rewrites: Bool

        package init(table: String, mode: String, rewrites: Bool) {
            self.table = table
            self.mode = mode
            self.rewrites = rewrites
        }
    }

    package let steps: [Step]
    /// The rows of entities that the new model does not have, by the entity's name.
    package let droppedRows: [String: Int]
    /// Constraints with duplicate values: entity, properties.
    package let collisions: [(entity: String, properties: [String])]
    /// Numbers that do not fit the new types of their attributes.
    package let misfits: [NumberMisfits]

    package init(
        steps: [Step], droppedRows: [String: Int], collisions: [(entity: String, properties: [String])],
        misfits: [NumberMisfits] = []
    ) {
        self.steps = steps
        self.droppedRows = droppedRows
        self.collisions = collisions
        self.misfits = misfits
    }
}
