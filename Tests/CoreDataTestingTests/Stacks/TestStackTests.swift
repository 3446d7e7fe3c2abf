import CoreData
import CoreDataTesting
import TestBasics
import Testing

@Suite struct TestStackTests {
    @Test("a stack takes one line, in memory and in SQLite (TEST-01)", arguments: TestStack.Kind.allCases)
    func stackTakesOneLine(_ kind: TestStack.Kind) throws {
        let stack = try TestStack(GuildModel.model, kind)
        stack.context.perform { _ = 1 }
        try stack.make("Team", ["title": "Owls"])
        try stack.context.save()
        let other = stack.newContext()
        let titles = try other.performAndWait {
            try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Team")).map {
                $0.value(forKey: "title") as? String
            }
        }
        #expect(titles == ["Owls"])
        #expect(FileManager.default.fileExists(atPath: stack.url.path) == (kind == .sqlite))
    }

    @Test(
        "TEST-01: stacks of tests that run in parallel see only their own objects", arguments: TestStack.Kind.allCases)
    func parallelStacksSeeOnlyTheirOwnObjects(_ kind: TestStack.Kind) async throws {
        let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 1...12 {
                group.addTask {
                    let stack = try TestStack(GuildModel.model, kind)
                    let context = stack.newContext()
                    return try await context.perform {
                        for _ in 0..<number {
                            NSEntityDescription.insertNewObject(forEntityName: "Team", into: context)
                                .setValue("T", forKey: "title")
                        }
                        try context.save()
                        return (number, try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team")))
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.count == 12 && counts.allSatisfy { $0.0 == $0.1 })
    }

    @Test("the folder of a stack goes with the last reference, and not before (TEST-01)")
    func folderGoesWithLastReference() throws {
        var stack: TestStack? = try TestStack(GuildModel.model, .sqlite)
        let url = try #require(stack?.url)
        var second = try stack?.another()
        #expect(second?.url == url)
        stack = nil
        #expect(FileManager.default.fileExists(atPath: url.path))
        second = nil
        _ = second
        #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    }

    @Test("another stack on the same file reads what was saved; one in memory is refused (TEST-01)")
    func anotherStackReadsWhatWasSaved() throws {
        let stack = try TestStack(GuildModel.model, .sqlite)
        try stack.make("Team", ["title": "Owls"])
        try stack.context.save()
        let other = try stack.another()
        #expect(try other.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team")) == 1)
        #expect(throws: TestingError.self) { try TestStack(GuildModel.model).another() }
    }

    @Test("store options reach the store (TEST-01)")
    func storeOptionsReachStore() throws {
        let stack = try TestStack(
            GuildModel.model, .sqlite, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try stack.make("Team", ["title": "Owls"])
        try stack.context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 1)
    }

    @Test("a model is read from its URL once; another file is refused with its path (TEST-01)")
    func modelIsReadFromURLOnce() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Small.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Event" syncable="YES"><attribute name="title" optional="YES" attributeType="String"/></entity>
            </model>
            """.utf8
        ).write(to: url.appendingPathComponent("contents"))
        let (one, other) = (try TestStack(modelAt: url), try TestStack(modelAt: url, .sqlite))
        #expect(one.model === other.model)
        #expect(one.model.entitiesByName.keys.sorted() == ["Event"])
        let missing = folder.url.appendingPathComponent("Missing.momd")
        let error = #expect(throws: TestingError.self) { try TestStack(modelAt: missing) }
        #expect(error?.code == .noModel && error?.reason.contains("Missing.momd") == true)
        let named = #expect(throws: TestingError.self) { try TestStack("Nothing", in: .main) }
        #expect(named?.reason.contains("'Nothing'") == true)
    }
}
