import CoreData
import Foundation
import SwiftData
import TestBasics
import Testing

/// Models and managed objects of one store in one program.
@Suite struct ManagedObjectTests {
    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        context = try .filled(ModelConfiguration(url: folder.url.appending(path: "shelves.store")))
    }

    @Test("changes of a managed object are those of its model, before and after a save")
    func changesOfAManagedObjectAreThoseOfItsModel() throws {
        let shelf = try #require(try context.shelf("A"))
        let object = try #require(shelf.managedObject)
        #expect(object.value(forKey: "code") as? String == "A" && object.entity.name == "Shelf")
        object.setValue("Z", forKey: "code")
        #expect(shelf.code == "Z" && shelf.hasChanges)
        shelf.room.floor = 7
        #expect((object.value(forKey: "room") as? [String: Any])?["floor"] as? Int == 7)
        try context.managedObjectContext.save()
        #expect(!context.hasChanges && shelf.code == "Z" && shelf.room.floor == 7)
        #expect(context.model(for: object) as? Shelf === shelf)
        #expect(context.managedObjectContext.swiftDataContext === context)
        #expect(Shelf(code: "new", floor: 0).managedObject == nil)
    }

    @Test("an object that managed-object code inserts is a model, and one that it deletes keeps its values")
    func insertedAndDeletedObjectsAreModels() throws {
        let managed = context.managedObjectContext
        let object = NSEntityDescription.insertNewObject(forEntityName: "Volume", into: managed)
        object.setValue("Notes", forKey: "title")
        object.setValue(UUID(), forKey: "key")
        object.setValue(["kind": "atlas"], forKey: "kind")
        object.setValue(12, forKey: "pages")
        let volume = try #require(context.model(for: object, as: Volume.self))
        volume.shelf = try context.shelf("B")
        #expect(volume.kind == .atlas && volume.pages == 12)
        try managed.save()
        #expect(try context.fetchCount(FetchDescriptor<Volume>()) == 4)
        managed.delete(object)
        try managed.save()
        #expect(volume.isDeleted && volume.title == "Notes" && volume.modelContext == nil)
    }

    @Test("a context of Core Data on the container's stores sees what models save, and the other way")
    func contextsOfBothKindsShareTheStores() async throws {
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = context.container.persistentStoreCoordinator
        let identifier = try await other.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Volume")
            request.predicate = NSPredicate(format: "pages > 200 AND shelf.code == 'B'")
            let found = try #require(try other.fetch(request).first)
            found.setValue(300, forKey: "pages")
            try other.save()
            return PersistentIdentifier(found.objectID)
        }
        let again = ModelContext(context.container)
        let volume = try #require(again.model(for: identifier) as? Volume)
        #expect(volume.title == "Persuasion" && volume.pages == 300)
        let known = identifier.managedObjectID(in: context.container.persistentStoreCoordinator)
        #expect(known == volume.managedObject?.objectID)
    }

    @Test("a container of Core Data with classes of its own opens the same file at the same time")
    func aContainerOfCoreDataOpensTheSameFile() throws {
        let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Shelf.self]))
        model.entitiesByName["Volume"]?.managedObjectClassName = NSStringFromClass(CDVolume.self)
        #expect(
            model.entityVersionHashesByName
                == context.container.persistentStoreCoordinator.managedObjectModel.entityVersionHashesByName)
        let container = NSPersistentContainer(name: "Shelves", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: folder.url.appending(path: "shelves.store"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        let request = NSFetchRequest<CDVolume>(entityName: "Volume")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let volumes = try container.viewContext.fetch(request)
        #expect(volumes.map(\.title) == ["Alps", "Emma", "Persuasion"])
        let last = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token
        volumes[1].title = "Emma, 2nd edition"
        container.viewContext.transactionAuthor = "CoreData"
        try container.viewContext.save()
        // What the other container saved is in the history, and in the models once they are read again.
        var changes = HistoryDescriptor<DefaultHistoryTransaction>()
        if let last { changes.predicate = #Predicate { $0.token > last } }
        let transactions = try context.fetchHistory(changes)
        #expect(transactions.map(\.author) == ["CoreData"])
        let update = try #require(transactions.first?.changes.first)
        guard case .update(let change as DefaultHistoryUpdate<Volume>) = update else {
            Issue.record("the change is \(update)")
            return
        }
        #expect(change.containsAttribute(\.title))
        let again = ModelContext(context.container)
        let titles = try again.fetch(FetchDescriptor<Volume>(sortBy: [SortDescriptor(\.title)])).map(\.title)
        #expect(titles == ["Alps", "Emma, 2nd edition", "Persuasion"])
    }

    @Test func objectsOfOtherStoresAreNoModels() throws {
        let other = try ModelContext.filled(ModelConfiguration(isStoredInMemoryOnly: true))
        let object = try #require(try other.shelf("A")?.managedObject)
        #expect(context.model(for: object) == nil)
        #expect(NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType).swiftDataContext == nil)
    }

    @Test("a store of managed objects becomes one of models by inference")
    func aStoreOfManagedObjectsBecomesOneOfModels() throws {
        let url = folder.url.appending(path: "old.sqlite")
        let old = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Shelf.self]))
        let volume = try #require(old.entitiesByName["Volume"])
        volume.properties = volume.properties.filter { $0.name != "cover" }
        do {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let object = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            object.setValue("Q", forKey: "code")
            object.setValue(["floor": 3], forKey: "room")
            object.setValue(["a"] as NSArray, forKey: "tags")
            try context.save()
            try coordinator.remove(store)
        }
        let context = ModelContext(
            try ModelContainer(for: Shelf.self, configurations: ModelConfiguration(url: url)))
        let shelf = try #require(try context.shelf("Q"))
        #expect(shelf.room.floor == 3 && shelf.tags == ["a"] && shelf.volumes.isEmpty)
        shelf.volumes.append(Volume(title: "New"))
        try context.save()
    }
}

/// A volume as a managed object.
final class CDVolume: NSManagedObject {
    var title: String? {
        get { value(forKey: "title") as? String }
        set { setValue(newValue, forKey: "title") }
    }
}
