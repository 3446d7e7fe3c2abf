import CoreData
import TestBasics
import Testing

/// `coredata migrate` of a store that keeps the entities of one configuration.
@Suite struct MigrateConfigurationTests {
    static let device =
        #"<configuration name="Device"><memberEntity name="Local"/></configuration>"#
        + #"<configuration name="Cloud"><memberEntity name="Shared"/></configuration>"#
    static let one = """
        <entity name="Local"><attribute name="name" optional="YES" attributeType="String"/></entity>
        <entity name="Shared"><attribute name="size" optional="YES" attributeType="String"/>
        <attribute name="gone" optional="YES" attributeType="String"/></entity>
        """
    /// Local gets an attribute; Shared becomes what cannot be inferred, and loses values.
    static let two = """
        <entity name="Local"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="note" optional="YES" attributeType="String"/></entity>
        <entity name="Shared"><attribute name="size" optional="YES" attributeType="Date"/></entity>
        """

    @Test("of a store of one configuration nothing is said of entities that it does not keep (MIG-01, MIG-22)")
    func otherConfigurationsDoNotMatter() throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let folder = try TemporaryFolder()
        let package = try models.package(
            "Parts.xcdatamodeld", ("Two", Self.two + Self.device), ("One", Self.one + Self.device))
        let version = URL(fileURLWithPath: package).appendingPathComponent("One.xcdatamodel")
        let stores = ["Device", "Cloud"].map { folder.url.appendingPathComponent("\($0).sqlite") }
        for (store, entity) in zip(stores, ["Local", "Shared"]) {
            let model = try NSManagedObjectModel(reading: version)
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let added = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: store.deletingPathExtension().lastPathComponent,
                at: store, options: nil)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            _ = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            try context.save()
            try coordinator.remove(added)
        }
        let plan = try Tool.run("migrate", stores[0].path, "--to", package, "--plan", "--format", "json")
        #expect(plan.code == 0, "\(plan.output) \(plan.errors)")
        let report: [String: Any] = try plan.json()
        #expect(report["result"] as? String == "possible")
        #expect((report["losses"] as? [Any])?.isEmpty == true)
        let dry = try Tool.run("migrate", stores[0].path, "--to", package, "--dry-run")
        #expect(dry.code == 0, "\(dry.output) \(dry.errors)")
        let done = try Tool.run("migrate", stores[0].path, "--to", package)
        #expect(done.code == 0, "\(done.output) \(done.errors)")
        let other = try Tool.run("migrate", stores[1].path, "--to", package)
        #expect(other.code == 1)
        #expect(other.errors.contains("Shared.size") || other.output.contains("Shared.size"))
    }
}
