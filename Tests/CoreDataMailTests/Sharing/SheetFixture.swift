import CoreData
import CoreDataMail
import Foundation
import UniformTypeIdentifiers

/// What sheets of tests do their actions with: nothing outside of the process.
struct SheetFixture {
    let ends = SheetEnds()
    let queue = DispatchQueue(label: "ends")
    let gateway = RecordingGateway(attachmentTypes: [.image])
    let transport = RecordingTransport()
    let context: NSManagedObjectContext

    init() throws {
        let model = CardTests.model([
            "Contact": ["name": .string, "email": .string],
            "Meeting": ["title": .string, "start": .date, "room": .string],
            "Book": [
                "title": .string, "pages": .integer32, "price": .double, "cover": .binaryData, "isRead": .boolean,
            ],
        ])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func environment(services: [any ServiceAdapter] = []) throws -> ShareEnvironment {
        var environment = ShareEnvironment(
            account: MailAccount(sender: try MailAddress("anne@example.org"), transport: transport), gateway: gateway,
            services: services)
        environment.queue = queue
        return environment
    }

    func object(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func types(_ items: [Any], _ environment: ShareEnvironment, excluding: [UIActivity.ActivityType] = [])
        -> [UIActivity.ActivityType?]
    {
        let sheet = UIActivityViewController(activityItems: items, environment: environment)
        sheet.excludedActivityTypes = excluding
        return sheet.activities.map(\.activityType)
    }
}

/// The end of a sheet as its handler got it.
final class SheetEnds: Sendable {
    struct End {
        var type: UIActivity.ActivityType?
        var completed: Bool
        var items: [Any]?
        var error: (any Error)?
    }

    private let lock = NSLock()
    nonisolated(unsafe) private var ends: [End] = []

    var all: [End] { lock.withLock { ends } }

    var handler: UIActivityViewController.CompletionWithItemsHandler {
        { [self] type, completed, items, error in
            lock.withLock { ends.append(End(type: type, completed: completed, items: items, error: error)) }
        }
    }
}
