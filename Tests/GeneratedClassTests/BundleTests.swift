import CoreData
import GeneratedModel
import Testing

@Suite struct BundleTests {
    @Test("compiled models with all their versions are in the bundles of their targets (TOOL-01, TOOL-02)")
    func bundlesHoldCompiledModels() throws {
        let bundle = GeneratedBundle.bundle
        let heroes = try #require(bundle.url(forResource: "Heroes", withExtension: "momd"))
        let names = try FileManager.default.contentsOfDirectory(atPath: heroes.path).sorted()
        #expect(names == ["Heroes 2.mom", "Heroes.mom", "VersionInfo.plist"])
        #expect(bundle.url(forResource: "Notes", withExtension: "momd") != nil)
        #expect(bundle.url(forResource: "Heroes", withExtension: "xcdatamodeld") == nil)
        #expect(Bundle.module.url(forResource: "Local", withExtension: "momd") != nil)
    }

    @Test("the models of a bundle merge into one, of their current versions (TOOL-02)")
    func modelsMerge() throws {
        let model = try #require(NSManagedObjectModel.mergedModel(from: [GeneratedBundle.bundle]))
        let names = model.entities.compactMap(\.name).sorted()
        #expect(names == ["Cave", "Gadget", "Hero", "Lair", "Note", "Power", "Trophy", "Villain"])
    }

    @Test("classes of other modules, nested ones too, are found without being registered (TOOL-02)")
    func classesAreFound() throws {
        let local = try #require(Bundle.module.url(forResource: "Local", withExtension: "momd"))
        let model = try NSManagedObjectModel(merging: [
            #require(NSManagedObjectModel.mergedModel(from: [GeneratedBundle.bundle])),
            NSManagedObjectModel(reading: local),
        ])
        let container = NSPersistentContainer(name: "Merged", managedObjectModel: model)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let context = container.newBackgroundContext()
        func made(_ entity: String) -> NSManagedObject {
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        }
        #expect(made("Cave") is Places.Cave)
        #expect(made("Lair") is Lair)
        #expect(made("Note") is Note)
        #expect(made("Item") is Item)
        #expect(made("Villain") is Villain)
        #expect(Places.Cave(context: context).entity.name == "Cave")
    }

    @Test("a class that is not in the module that its entity names is looked for in the others")
    func classesOfOtherModulesAreFound() throws {
        ObjectClassResolver.register(module: "GeneratedClassTests")
        let (model, entity) = (NSManagedObjectModel(), NSEntityDescription())
        entity.name = "Item"
        entity.managedObjectClassName = "Elsewhere.Item"
        model.entities = [entity]
        let container = NSPersistentContainer(name: "Elsewhere", managedObjectModel: model)
        let object = NSEntityDescription.insertNewObject(forEntityName: "Item", into: container.newBackgroundContext())
        #expect(object is Item)
    }
}
