import CoreData
import TestBasics
import Testing

/// Commands on a store that keeps the entities of one configuration, and the whole model.
@Suite struct ConfigurationStoreTests {
    @Test("a store of one configuration is read, edited and checked by the model that it keeps (TOOL-02)")
    func storeOfOneConfigurationNeedsNoModel() throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let folder = try TemporaryFolder()
        let package = try models.package(
            "Parts.xcdatamodeld", ("One", MigrateConfigurationTests.one + MigrateConfigurationTests.device))
        let version = URL(fileURLWithPath: package).appendingPathComponent("One.xcdatamodel")
        let store = folder.url.appendingPathComponent("Device.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(reading: version))
        let added = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Device", at: store, options: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        NSEntityDescription.insertNewObject(forEntityName: "Local", into: context).setValue("a", forKey: "name")
        try context.save()
        try coordinator.remove(added)
        for command in [
            ["inspect", store.path], ["fetch", store.path, "Local"], ["fetch", store.path, "Local", "--count"],
            ["check", store.path], ["set", store.path, "Local/p1", "name=b"],
            ["insert", store.path, "Local", "name=c"],
            ["vacuum", store.path], ["check", store.path],
            ["copy", store.path, folder.url.appendingPathComponent("Copy.xml").path],
        ] {
            let done = try Tool.run(command)
            #expect(done.code == 0, "\(command): \(done.output) \(done.errors)")
        }
        #expect(try Tool.run("fetch", store.path, "Local", "--where", "name == 'b'").output.contains("p1"))
    }
}
