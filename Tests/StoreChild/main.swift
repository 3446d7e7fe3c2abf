import CSQLite
import CoreData
import TestBasics
import WriteScenarios

// The other process of the tests that need one:
//
//   StoreChild advance STORE JOURNAL CALL    saves state after state, and writes the number of each when it is saved;
//                                            ends at the given system call of SQLite, or never for 0
//   StoreChild count STORE ROW SAVES         counts a row of its own and a shared one up; writes the conflicts it met
//   StoreChild hold STORE                    takes the lock of writers and changes a row, writes "held" and keeps it
//   StoreChild write STORE AUTHOR COUNT      adds entries, and writes the number of each when it is saved
//   StoreChild announce STORE COUNT REST SEED
//                                            adds so many entries, and writes the time after each save; rests between
//                                            them for as many microseconds at most, as a seed says
//   StoreChild describe STORE TITLE HOW      writes a title into the metadata and nothing else, of the store while it is
//                                            open or closed
//   StoreChild checkpoint STORE              moves all of the log into the file and empties it; writes "emptied"
//   StoreChild replace STORE SOURCE          puts the content of one store in another's place, in the same file
//   StoreChild rename STORE SOURCE           puts the file of one store in another's place
//   StoreChild crowd STORE BYTES             saves a large value where files may have so many bytes, then where they may
//                                            have any; writes the error's code and the count of rows after each
//   StoreChild misuse NAME VALUE             reads an object off its queue; the arguments are for the library
//   StoreChild log STORE NAME VALUE          saves a row and fetches it; the last two arguments are for the library
//   StoreChild end STORE HOW                 has unsaved changes in several contexts, writes "ready" and waits for a signal;
//                                            HOW is saving, stuck or off, exit to end by itself, or
//                                            asked for a SIGTERM that comes as soon as it is listened for
//   StoreChild migrate STORE CALL            opens a store with the newer version of its model, and writes what it has; ends
//                                            at the given system call of SQLite, or never for 0
//   StoreChild back-up STORE CALL            makes a backup of a store; ends at the given system call of SQLite
//   StoreChild back-up-and-migrate STORE CALL
//                                            makes a backup of a store and migrates it, as 'coredata migrate' does;
//                                            ends at the given system call of SQLite
//   StoreChild replace-rows STORE KIND       makes a store of one file, saves a row, writes "saved" and is killed when the
//                                            second row's temporary file is to be put in its place
//   StoreChild hold-temporary STORE              makes a temporary file for a store, writes its name and keeps it
//   StoreChild compare FOLDER                compares every store of a folder with the text beside it

func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(2) }
}

func run(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("advance", 4):
        if let call = Int(arguments[3]), call > 0 { SystemCalls.kill(at: call) }
        let ledger = try Ledger(URL(fileURLWithPath: arguments[1]), journalMode: arguments[2])
        while true { say("\(try ledger.advance())") }
    case ("count", 4):
        let context = try Opened.context(arguments[1], SharedRows.make())
        let conflicts = try SharedRows.count(up: Int(arguments[2]) ?? 0, saves: Int(arguments[3]) ?? 0, in: context)
        say("\(conflicts)")
    case ("hold", 2):
        var database: OpaquePointer?
        guard sqlite3_open(arguments[1], &database) == SQLITE_OK,
            sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK,
            sqlite3_exec(database, "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1000", nil, nil, nil) == SQLITE_OK
        else { exit(3) }
        say("held")
        while true { pause() }
    case ("write", 4):
        let context = try AuthoredEntries.context(arguments[1])
        try AuthoredEntries.write(by: arguments[2], upTo: Int(arguments[3]) ?? 0, in: context) { say("\($0)") }
    case ("announce", 5):
        try announce(
            arguments[1], saves: Int(arguments[2]) ?? 0, rest: Int(arguments[3]) ?? 0, seed: UInt64(arguments[4]) ?? 0)
    case ("describe", 4): try describe(arguments[1], title: arguments[2], isOpen: arguments[3] == "open")
    case ("checkpoint", 2):
        try emptyLog(arguments[1])
        say("emptied")
    case ("replace", 3):
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
            at: URL(fileURLWithPath: arguments[1]), withPersistentStoreFrom: URL(fileURLWithPath: arguments[2]),
            type: .sqlite)
        say("replaced")
    case ("rename", 3):
        guard rename(arguments[2], arguments[1]) == 0 else { exit(3) }
        say("renamed")
    case ("crowd", 3): try crowd(arguments[1], bytes: UInt(arguments[2]) ?? 0)
    case ("misuse", 3): try misuse()
    case ("log", 4): try log(arguments[1])
    case ("end", 3): try Ending.run(arguments[1], arguments[2])
    case ("migrate", 3):
        if let call = Int(arguments[2]), call > 0 { SystemCalls.kill(at: call) }
        for line in try BookVersions.migrate(URL(fileURLWithPath: arguments[1])) { say(line) }
    case ("back-up", 3):
        SystemCalls.kill(at: Int(arguments[2]) ?? 0)
        let url = URL(fileURLWithPath: arguments[1])
        say(try StoreBackup.make(of: url, storeClass: SQLiteStore.self).lastPathComponent)
    case ("back-up-and-migrate", 3):
        SystemCalls.kill(at: Int(arguments[2]) ?? 0)
        let url = URL(fileURLWithPath: arguments[1])
        _ = try StoreBackup.make(of: url, storeClass: SQLiteStore.self)
        for line in try BookVersions.migrate(url) { say(line) }
    case ("replace-rows", 3): try Drafting.replaceRows(arguments[1], kind: arguments[2])
    case ("hold-temporary", 2): try Drafting.hold(arguments[1])
    case ("compare", 2):
        for difference in try ShapesComparison.differences(in: URL(fileURLWithPath: arguments[1])) { say(difference) }
    default: exit(64)
    }
}

/// Adds entries, each by one save, and writes the time of the shared clock when the save has returned.
func announce(_ path: String, saves: Int, rest: Int, seed: UInt64) throws {
    let context = try AuthoredEntries.context(path)
    context.transactionAuthor = "announcer"
    var random = SeededRandom(seed: seed)
    for number in 1...max(1, saves) {
        AuthoredEntries.add(number, by: "announcer", to: context)
        try context.save()
        say("\(SharedClock.nanoseconds)")
        usleep(UInt32.random(in: 0...UInt32(rest), using: &random))
    }
}

/// Writes metadata, of a store that is added to a coordinator or of one that is not.
func describe(_ path: String, title: String, isOpen: Bool) throws {
    guard isOpen else {
        return try NSPersistentStoreCoordinator.setMetadata(
            ["title": title], forPersistentStoreOfType: NSSQLiteStoreType, at: URL(fileURLWithPath: path))
    }
    let context = try AuthoredEntries.context(path)
    guard let coordinator = context.persistentStoreCoordinator else { exit(3) }
    coordinator.setMetadata(["title": title], for: coordinator.persistentStores[0])
    try context.save()
}

/// Moves a log into its file and empties it, as another program may do at any time.
func emptyLog(_ path: String) throws {
    var database: OpaquePointer?
    var (frames, moved) = (Int32(-1), Int32(-1))
    guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_busy_timeout(database, 10_000) == SQLITE_OK,
        // A connection that has read nothing does not know that there is a log.
        sqlite3_exec(database, "SELECT count(*) FROM sqlite_master", nil, nil, nil) == SQLITE_OK,
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, &frames, &moved) == SQLITE_OK,
        frames == 0, moved == 0
    else { throw CocoaError(.fileWriteUnknown) }
    sqlite3_close(database)
}

/// Reads a value of a context on a private queue, here on the main thread.
func misuse() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SharedRows.make())
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    nonisolated(unsafe) let row = context.performAndWait {
        let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: context)
        row.setValue(4711, forKey: "count")
        return row
    }
    say("\(row.value(forKey: "count") ?? "nil")")
}

/// Saves a row with a value that nothing else has, and fetches it by that value.
func log(_ path: String) throws {
    let context = try Opened.context(path, SharedRows.make())
    NSEntityDescription.insertNewObject(forEntityName: "Row", into: context).setValue(4711, forKey: "count")
    try context.save()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Row")
    request.predicate = NSPredicate(format: "count == 4711")
    say("\(try context.fetch(request).count)")
}

/// Saves to a store beyond the size that its files may have, and again without a limit.
func crowd(_ path: String, bytes: UInt) throws {
    signal(SIGXFSZ, SIG_IGN)
    let context = try Opened.context(path, CrowdedModel.make())
    let count = NSFetchRequest<NSManagedObject>(entityName: "Photo")
    let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
    photo.setValue(Data(repeating: 1, count: 200_000), forKey: "bytes")
    for limit in [bytes, UInt(bitPattern: -1)] {
        var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(UInt(bitPattern: -1)))
        setrlimit(__rlimit_resource_t(1), &limits)
        do {
            try context.save()
            say("saved")
        } catch {
            say("\((error as NSError).domain == NSCocoaErrorDomain ? (error as NSError).code : -1)")
        }
        say("\(try Opened.context(path, CrowdedModel.make()).count(for: count))")
    }
}

signal(SIGPIPE, SIG_DFL)
do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    say("error: \(error)")
    exit(1)
}
