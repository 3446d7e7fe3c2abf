import StoreContract
import TestBasics
import Testing

@testable import CoreDataGraph

/// The lines on standard error, which scripts and people look for.
@Suite struct MessageLineTests {
    @Test("messages of modeling and of the graph stand on standard error as they always did")
    func linesAreAsBefore() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            _ = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/nowhere/A.momd"))
            _ = NSMappingModel(contentsOf: URL(fileURLWithPath: "/nowhere/A.cdm"))
            _ = NSManagedObject.entity()
            _ = NSManagedObject()
            let builder = ModelBuilder()
            builder.entity("Ghost", class: "NoSuchGhost", ["name": .stringAttributeType])
            let stack = try Stack(builder.model, kind: .inMemory)
            stack.context.insert("Ghost")
            stack.context.report(CocoaError(.fileNoSuchFile), for: nil)
        }
        let lines = result.standardErrorText.split(separator: "\n").map(String.init)
        #expect(
            lines.dropLast() == [
                "CoreData: cannot read the model /nowhere/A.momd: /nowhere/A.momd: there is no such file",
                "CoreData: cannot read the mapping model /nowhere/A.cdm: /nowhere/A.cdm: there is no such file",
                "CoreData: error: No NSEntityDescriptions in any model claim the NSManagedObject subclass "
                    + "'NSManagedObject' so +entity is confused. Have you loaded your NSManagedObjectModel yet?",
                "CoreData: error: Failed to call designated initializer on NSManagedObject class 'NSManagedObject': use "
                    + "init(entity:insertInto:), or init(context:) where one entity has the class.",
                "CoreData: warning: Unable to load class named 'NoSuchGhost' for entity 'Ghost'. Class not found, using "
                    + "default NSManagedObject instead. If it is in the program, name its module with "
                    + "ObjectClassResolver.register(module:).",
            ])
        #expect(lines.last?.hasPrefix("CoreData: error: ") == true)
    }

    @Test("a handler gets the entity and the file that messages are about")
    func handlerGetsMetadata() async {
        await #expect(processExitsWith: .success) {
            let lock = NSLock()
            nonisolated(unsafe) var found: [CoreDataLogging.Message] = []
            CoreDataLogging.handler = { message in lock.withLock { found.append(message) } }
            _ = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/nowhere/A.momd"))
            let builder = ModelBuilder()
            builder.entity("Ghost", class: "NoSuchGhost", ["name": .stringAttributeType])
            let stack = try Stack(builder.model, kind: .inMemory)
            stack.context.insert("Ghost")
            let messages = lock.withLock { found }
            #expect(messages.map(\.level) == [.error, .warning])
            #expect(messages.map(\.metadata) == [["model": "/nowhere/A.momd"], ["entity": "Ghost"]])
        }
    }
}
