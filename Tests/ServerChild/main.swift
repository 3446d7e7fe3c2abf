import CoreData
import CoreDataPostgres
import WriteScenarios

// The other process of the tests of stores on PostgreSQL:
//
//   ServerChild count URL ROW SAVES    counts a row of its own and a shared one up, under an author named as the row is; writes
//                                      the conflicts it met

func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(2) }
}

func run(_ arguments: [String]) throws {
    guard arguments.first == "count", arguments.count == 4, let url = URL(string: arguments[1]),
        let row = Int(arguments[2]), let saves = Int(arguments[3])
    else { exit(64) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SharedRows.make())
    try coordinator.addPersistentStore(
        ofType: CoreDataPostgreSQLStoreType, configurationName: nil, at: url,
        options: [NSPersistentHistoryTrackingKey: true])
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = "\(row)"
    let conflicts = try context.performAndWait { try SharedRows.count(up: row, saves: saves, in: context) }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    say("\(conflicts)")
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    say("failed: \(error)")
    exit(1)
}
