import CoreData
import TemplateProjectSample
import TestBasics
import Testing

/// The template beside another process on its store, and its names.
@MainActor @Suite struct TemplateListTests {
    @Test("the container and its store are named after the project (SAMPLE-01)")
    func namesAreOfTheProject() throws {
        let stack = try PersistenceController(inMemory: true)
        #expect(stack.container.name == "TemplateProject")
        let model = stack.container.managedObjectModel
        let standard = NSPersistentContainer(name: stack.container.name, managedObjectModel: model)
        #expect(standard.persistentStoreDescriptions.first?.url?.lastPathComponent == "TemplateProject.sqlite")
        #expect(model.entitiesByName["Event"]?.attributesByName["timeStamp"]?.attributeType == .dateAttributeType)
        #expect(model.entities.count == 1)
    }

    @Test("a save that fails leaves the list as it was, and the program goes on (SAMPLE-01)")
    func failedSaveLeavesList() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("TemplateProject.sqlite")
        let first = try EventList(context: try PersistenceController(at: url).container.viewContext)
        let moments = (1...2).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
        for moment in moments { try first.insertNewObject(moment) }
        let stack = try PersistenceController(at: url)
        let second = try EventList(context: stack.container.viewContext)
        #expect(second.count == 2)

        let row = IndexPath(row: 0, section: 0)
        let event = try #require(
            try stack.container.viewContext.fetch(NSFetchRequest<Event>(entityName: "Event"))
                .first { $0.timeStamp == moments[1] })
        try first.delete(at: row)
        // Another process has deleted the row in the meantime, which the default merge policy refuses to write over.
        event.timeStamp = moments[0].addingTimeInterval(1)
        let error = #expect(throws: NSError.self) { try second.insertNewObject(Date(timeIntervalSince1970: 0)) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
        #expect(error?.userInfo["conflictList"] != nil)
        #expect(!stack.container.viewContext.hasChanges)
        try second.insertNewObject(Date(timeIntervalSince1970: 5 * 86_400))
        #expect(second.rows.first == "1970-01-06T00:00:00Z")
        let again = try EventList(context: try PersistenceController(at: url).container.viewContext)
        #expect(again.rows == ["1970-01-06T00:00:00Z", "1970-01-02T00:00:00Z"])
    }
}
