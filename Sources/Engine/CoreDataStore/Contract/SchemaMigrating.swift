import CoreDataModeling

/// Changes the schema of a store in place, while the store is not open; implemented by types of stores that can.
package protocol SchemaMigrating: AnyObject {
    /// Migrates a store to another model by an inferred mapping, in one transaction.
    ///
    /// - Throws: `NSMigrationError` with the underlying error, `NSMigrationConstraintViolationError` for duplicate
    ///   values that must be unique; the store is then unchanged.
    static func migrateSchema(_ request: SchemaMigrationRequest) throws
    /// Ensures that no other connection has a store open, and that its main file contains everything, without a log.
    ///
    /// Types with `storeExchanging` need not implement it: they lock other connections out during the exchange.
    /// - Throws: `NSMigrationError` if another connection has the store open.
    static func requireNoOtherConnection(at url: URL, options: [AnyHashable: Any]) throws
    /// The plan of the migration; writes nothing.
    static func planSchemaMigration(_ request: SchemaMigrationRequest) throws -> SchemaMigrationPlan
    /// Runs a block that migrates a store. Where several programs may open the store, they run their blocks one after
    /// another.
    ///
    /// The block itself must check what remains to be done: another program may have migrated the store while this one
    /// waited.
    static func migratingAlone(at url: URL, options: [AnyHashable: Any], _ body: () throws -> Void) throws
    /// Replaces a store by one that was made of its objects, while others may have the old store open; nil for types
    /// whose stores are replaced as files.
    static var storeExchanging: (any StoreExchanging.Type)? { get }
}

extension SchemaMigrating {
    package static var storeExchanging: (any StoreExchanging.Type)? { nil }

    package static func requireNoOtherConnection(at url: URL, options: [AnyHashable: Any]) throws {}

    package static func migratingAlone(at url: URL, options: [AnyHashable: Any], _ body: () throws -> Void) throws {
        try body()
    }
}

/// Executes the tasks that a lightweight migration deferred; implemented by stores that can.
package protocol DeferredMigrating: AnyObject {
    /// Performs one task, in its own transaction; false if no task was left.
    ///
    /// - Throws: `NSMigrationError` with the underlying error; the task remains to be done then.
    func finishDeferredTask() throws -> Bool
}

/// A store to migrate, with its source and destination models.
package struct SchemaMigrationRequest {
    package let url: URL
    package let options: [AnyHashable: Any]
    /// The configuration whose entities the store contains; nil for all entities.
    package let configuration: String?
    package let source: ModelLayout
    package let destination: ModelLayout
    /// Whether the migration leaves unused columns and tables in place, to be removed later.
    package var isDeferring: Bool {
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool ?? false
    }
    /// Whether the migration stores values that the new model lacks in a separate table, so that a later migration can
    /// restore them.
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

/// What a migration of a schema would do; computed without writing.
package struct SchemaMigrationPlan {
    /// One SQL statement of the migration.
    package struct Step {
        package let kind: String
        /// The entity, relationship or table that the statement changes.
        package let subject: String
        package let statement: String
        /// The number of rows that the statement reads or writes; nil if the number is irrelevant.
        package let rows: Int?
        /// The lock that the statement takes; nil if it locks the entire store, or if the lock is not known.
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

    /// The lock that a step takes and holds until the migration ends.
    package struct Lock {
        /// The name of the table in the database.
        package let table: String
        /// The lock mode, as the database names it.
        package let mode: String
        /// Whether the step rewrites all rows, or copies them to another table.
        package let rewrites: Bool

        package init(table: String, mode: String, rewrites: Bool) {
            self.table = table
            self.mode = mode
            self.rewrites = rewrites
        }
    }

    package let steps: [Step]
    /// How many rows would be dropped because the new model lacks their entity, by the entity's name.
    package let droppedRows: [String: Int]
    /// Uniqueness constraints that stored rows violate: the entity and its properties.
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
