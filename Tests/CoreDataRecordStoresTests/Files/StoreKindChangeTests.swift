import CoreData
import StoreContract
import TestBasics
import Testing

@testable import CoreDataRecordStores

/// Stores of several kinds beside and after each other.
@Suite(.timeLimit(.minutes(10))) struct StoreKindChangeTests {
    @Test("SQLite, binary, XML, SQLite: content and metadata are the same, and each file is written twice (STO-27)")
    func chainOfCopies() throws {
        let folder = try TemporaryFolder()
        let stack = try Stack(FileStoreModel.make(), url: folder.url.appendingPathComponent("0"), kind: .sqlite)
        try FileStoreModel.fill(stack, count: 2_300)
        stack.coordinator.setMetadata(["mine": "kept"], for: stack.store)
        try stack.context.save()
        let content = try FileStoreModel.content(stack.context)
        for (number, kind) in [StoreKind.binary, .xml, .sqlite].enumerated() {
            let counter = CallCounter()
            let options: [AnyHashable: Any]? =
                kind.type == NSSQLiteStoreType ? nil : [RecordFileOperationsOption: counter.operations]
            let copy = try stack.coordinator.migratePersistentStore(
                stack.store, to: folder.url.appendingPathComponent("\(number + 1)"), options: options,
                withType: kind.type)
            #expect(copy.type == kind.type && copy.metadata["mine"] as? String == "kept")
            #expect(try FileStoreModel.content(stack.newContext()) == content)
            // The empty store, and the whole one.
            if options != nil { #expect(counter.count(.publish) == 2) }
        }
    }

    @Test("SQLite, XML and binary on one coordinator: objects land where they belong, a fetch spans all (STO-08)")
    func severalKinds() throws {
        let folder = try TemporaryFolder()
        let model = FileStoreModel.make()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let kinds = [StoreKind.sqlite, .xml, .binary, .inMemory]
        for kind in kinds {
            try coordinator.addPersistentStore(
                ofType: kind.type, configurationName: nil, at: folder.url.appendingPathComponent(kind.type))
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        for (number, store) in coordinator.persistentStores.enumerated() {
            context.assign(context.insert("Group", ["name": "\(number)"]), to: store)
        }
        try context.save()
        context.reset()
        let found = try context.all("Group", sortedBy: "name")
        #expect(found.map { $0.objectID.persistentStore?.type } == kinds.map(\.type))
    }
}
