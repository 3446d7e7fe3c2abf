import CoreDataGraph
import TestBasics
import Testing

/// A kind of store that tests run on.
public struct StoreKind: Sendable, CustomTestStringConvertible {
    /// The name by which the kind is registered, such as `NSSQLiteStoreType`.
    public let type: String
    /// What stores of the kind can do beyond what every store must.
    public let capabilities: NSPersistentStore.Capabilities

    /// Makes a kind of a store class that is registered under `type`.
    public init(type: String, capabilities: NSPersistentStore.Capabilities) {
        self.type = type
        self.capabilities = capabilities
    }

    /// A file of SQLite.
    public static let sqlite = StoreKind(
        type: NSSQLiteStoreType, capabilities: [.durable, .shared, .derivedAttributes, .uniqueValues])
    /// Memory.
    public static let inMemory = StoreKind(
        type: NSInMemoryStoreType, capabilities: [.exactDecimals, .exactReals, .derivedAttributes, .uniqueValues])
    /// One file of XML.
    public static let xml = StoreKind(
        type: NSXMLStoreType,
        capabilities: [.durable, .exactDecimals, .exactReals, .derivedAttributes, .uniqueValues])
    /// One binary file.
    public static let binary = StoreKind(
        type: NSBinaryStoreType,
        capabilities: [.durable, .exactDecimals, .exactReals, .derivedAttributes, .uniqueValues])
    /// A schema of a PostgreSQL database; for programs with the product `CoreDataPostgres`.
    public static let postgreSQL = StoreKind(
        type: CoreDataPostgreSQLStoreType,
        capabilities: [.durable, .shared, .exactDecimals, .exactReals, .derivedAttributes, .uniqueValues])
    /// The kinds that come with the library.
    public static let all = [sqlite, inMemory, xml, binary]
    /// The kinds that store all records in one file, which is read and written as a whole.
    public static let wholeFiles = [xml, binary]
    /// The kinds for tests with very many objects: all in `make soak`, otherwise one on disk and one in memory.
    package static let forScaleTests = TestSeed.isExhaustive ? all : [sqlite, inMemory]
    /// The kinds that can record a persistent history.
    public static let keepingHistory = [sqlite, inMemory]

    public var testDescription: String { type }
}
