import Foundation
import TestBasics
import Testing

/// The examples in documentation comments, as the compiler takes them.
@Suite(.timeLimit(.minutes(20))) struct SymbolExampleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let examples = Result {
        try SymbolExample.examples(in: root.appendingPathComponent("Sources"))
    }

    /// What users touch: each of these symbols has an example.
    private static let symbols = [
        "Browser", "BrowserOptions", "BrowserServer", "CoreDataHealth", "CoreDataInstruments", "CoreDataLogging",
        "CoreDataMetrics", "CoreDataPostgreSQLStoreType", "FetchedObjects", "FetchedResultsList",
        "FetchedResultsSnapshot", "FetchedValues", "KeyValueCoding", "KeyedValues", "ModelCheck",
        "NSAsynchronousFetchRequest", "NSAtomicStore", "NSAtomicStoreCacheNode", "NSAttributeDescription",
        "NSBatchDeleteRequest", "NSBatchInsertRequest", "NSBatchUpdateRequest", "NSComparisonPredicate",
        "NSCompositeAttributeDescription", "NSCompoundPredicate", "NSConstraintConflict", "NSCustomMigrationStage",
        "NSDerivedAttributeDescription", "NSEntityDescription", "NSEntityMapping", "NSEntityMigrationPolicy",
        "NSExpression", "NSExpressionDescription", "NSFetchIndexDescription", "NSFetchIndexElementDescription",
        "NSFetchRequest", "NSFetchRequestExpression", "NSFetchedPropertyDescription", "NSFetchedResultsController",
        "NSFetchedResultsControllerDelegate", "NSIncrementalStore", "NSIncrementalStoreNode", "NSKeyValueObservation",
        "NSLightweightMigrationStage", "NSManagedObject", "NSManagedObjectContext", "NSManagedObjectID",
        "NSManagedObjectModel", "NSManagedObjectModelReference", "NSMappingModel", "NSMergeConflict", "NSMergePolicy",
        "NSMigrationManager", "NSPersistentCloudKitContainer", "NSPersistentContainer", "NSPersistentHistoryChange",
        "NSPersistentHistoryChangeRequest", "NSPersistentHistoryToken", "NSPersistentHistoryTransaction",
        "NSPersistentStore", "NSPersistentStoreCoordinator", "NSPersistentStoreDescription", "NSPropertyMapping",
        "NSQueryGenerationToken", "NSRelationshipDescription", "NSSecureUnarchiveFromDataTransformer",
        "NSStagedMigrationManager", "PersistentHistoryRetention", "UndoManager", "ValueTransformer",
    ]

    @Test("Each class that users touch has an example", arguments: symbols)
    func eachClassHasAnExample(symbol: String) throws {
        let found = try Self.examples.get().filter { $0.symbol == symbol }
        #expect(found.contains { $0.code.count >= 1 }, "\(symbol) has no example in its documentation comment")
    }

    @Test(
        "The examples at symbols build in Swift 6 mode, without a warning",
        .enabled(if: Toolchain.modules != nil, "the modules are not beside the tests"))
    func examplesBuildInSwift6Mode() throws {
        let modules = try #require(Toolchain.modules)
        let setting = Self.root.appendingPathComponent("Tests/ExampleTests/StandIns/SymbolSetting.swift")
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("Examples.swift")
        try Data(SymbolExample.program(Self.examples.get()).utf8).write(to: file)
        let (status, said) = try Toolchain.run(
            "swiftc",
            ["-typecheck", "-parse-as-library", "-warnings-as-errors", "-swift-version", "6"]
                + Toolchain.flags(modules: modules) + SystemModules.flags(modules: modules) + [file.path, setting.path])
        #expect(status == 0 && said.isEmpty, "\(said)")
    }

    @Test("An example is found with its symbol, its lines and its place")
    func exampleIsFoundWithItsSymbol() throws {
        let source = """
            import CoreData

            /// A class.
            ///
            /// ```swift
            /// import CoreData
            ///
            /// for one in all {
            ///     print(one)
            /// }
            /// ```
            ///
            /// More.
            @MainActor
            public final class Stock<Item>: Sendable {
                /// A function.
                ///
                /// ```swift
                /// stock.count()
                /// ```
                public func count(_ all: Bool) {}
            }
            """
        let found = SymbolExample.examples(in: source, of: URL(fileURLWithPath: "/Stock.swift"))
        #expect(found.map(\.symbol) == ["Stock", "count"])
        #expect(found.map(\.line) == [6, 19])
        #expect(found[0].code == ["import CoreData", "", "for one in all {", "    print(one)", "}"])
        #expect(
            SymbolExample.program(found) == """
                import CoreData
                @MainActor func example0() async throws {
                #sourceLocation(file: "/Stock.swift", line: 6)


                for one in all {
                    print(one)
                }
                #sourceLocation()
                }
                @MainActor func example1() async throws {
                #sourceLocation(file: "/Stock.swift", line: 19)
                stock.count()
                #sourceLocation()
                }

                """)
    }
}
