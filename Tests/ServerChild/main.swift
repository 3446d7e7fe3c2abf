import CoreData
import CoreDataPostgres
import WriteScenarios

// The other process of the tests of stores on PostgreSQL:
//
//   ServerChild count URL ROW SAVES    counts a row of its own and a shared one up, under an author named as the row is; writes
//                                      the conflicts it met
//   ServerChild migrate URL inferred|mapped FOLDER [stop|time]
//                                      opens a store of VersionedThings with its second or third version, migrating it, and
//                                      writes what is wrong with the objects; with "stop" it writes "midway" when half of them
//                                      are mapped, and goes no further; with "time" it writes the milliseconds that opening took

func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(2) }
}

func migrate(_ arguments: [String]) throws {
    guard arguments.count >= 4, let url = URL(string: arguments[1]) else { exit(64) }
    let isMapped = arguments[2] == "mapped"
    let options = try VersionedThings.options(in: URL(fileURLWithPath: arguments[3]))
    if arguments.last == "stop" {
        NotingPolicy.whenMidway = {
            say("midway")
            while true { pause() }
        }
    }
    let start = ContinuousClock.now
    let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: isMapped ? VersionedThings.mapped() : VersionedThings.inferred())
    let store = try coordinator.addPersistentStore(
        ofType: CoreDataPostgreSQLStoreType, configurationName: nil, at: url, options: options)
    if arguments.last == "time" { return say("\(Int(start.duration(to: .now) / .milliseconds(1)))") }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let faults = try context.performAndWait { try VersionedThings.faults(context, isMapped: isMapped) }
    try coordinator.remove(store)
    say(faults.isEmpty ? "sound" : faults.joined(separator: "; "))
}

func run(_ arguments: [String]) throws {
    if arguments.first == "migrate" { return try migrate(arguments) }
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
