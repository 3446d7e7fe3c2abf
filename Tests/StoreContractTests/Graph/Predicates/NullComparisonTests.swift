import CoreData
import StoreContract
import TestBasics
import Testing

/// Where there is no value: by default nil differs from everything, by an option nothing holds of it, as in Apple's SQLite.
@Suite(.timeLimit(.minutes(5))) struct NullComparisonTests {
    private static let formats: [(String, byDefault: [Int], asInSQL: [Int])] = [
        ("string != 'a'", [2, 3], [2]), ("NOT string == 'a'", [2, 3], [2]), ("NOT string != 'a'", [1], [1]),
        ("NOT string IN {'a'}", [2, 3], [2]), ("string == nil", [3], [3]), ("string != nil", [1, 2], [1, 2]),
        ("NOT (string == 'a' OR string == 'b')", [3], []), ("NOT (string != nil)", [3], [3]),
        ("NOT (string == 'a' AND int64 == 1)", [2, 3], [2, 3]), ("NOT string BEGINSWITH 'a'", [2, 3], [2]),
        ("date != %@", [1, 2, 3], []), ("string != uri", [1, 2], []), ("int64 != 1", [2, 3], [2, 3]),
        ("NOT NOT string != 'a'", [2, 3], [2]), ("TRUEPREDICATE", [1, 2, 3], [1, 2, 3]),
    ]

    private func context(_ kind: StoreKind, _ options: [AnyHashable: Any]?, isSaved: Bool) throws
        -> NSManagedObjectContext
    {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleModel.make())
        let url = folder.url.appendingPathComponent("Test.store")
        try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        for (number, text) in [(1, "a"), (2, "b"), (3, nil)] as [(Int, String?)] {
            context.insert("Sample", ["int64": number, "string": text])
        }
        if isSaved { try context.save() }
        return context
    }

    private func found(_ format: String, in context: NSManagedObjectContext) throws -> [Int] {
        let request = NSFetchRequest<Sample>(entityName: "Sample")
        request.predicate = NSPredicate(format: format, argumentArray: format.contains("%@") ? [Date()] : nil)
        return try context.fetch(request).map(\.int).sorted()
    }

    @Test("saved and unsaved, nil differs from every value (PRD-10)", arguments: StoreKind.all)
    func nilDiffersByDefault(kind: StoreKind) throws {
        for isSaved in [true, false] {
            let context = try context(kind, nil, isSaved: isSaved)
            for (format, expected, _) in Self.formats {
                #expect(try found(format, in: context) == expected, "\(format)")
            }
        }
    }

    @Test("with the option neither a comparison nor its opposite holds of nil (PRD-10)", arguments: StoreKind.all)
    func nilIsLeftOutByOption(kind: StoreKind) throws {
        for isSaved in [true, false] {
            let context = try context(kind, [CoreDataNullComparisonOption: true], isSaved: isSaved)
            for (format, _, expected) in Self.formats {
                #expect(try found(format, in: context) == expected, "\(format)")
            }
        }
    }
}
