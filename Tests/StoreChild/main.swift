import CSQLite
import CoreData
import Glibc
import WriteScenarios

// The other process of the tests that need one:
//
//   StoreChild advance STORE JOURNAL CALL    saves state after state, and writes the number of each when it is saved;
//                                            ends at the given system call of SQLite, or never for 0
//   StoreChild count STORE ROW SAVES         counts a row of its own and a shared one up; writes the conflicts it met
//   StoreChild hold STORE                    takes the lock of writers, writes "held" and keeps it
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
            sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
        else { exit(3) }
        say("held")
        while true { pause() }
    case ("compare", 2):
        for difference in try ShapesComparison.differences(in: URL(fileURLWithPath: arguments[1])) { say(difference) }
    default: exit(64)
    }
}

signal(SIGPIPE, SIG_DFL)
do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    say("error: \(error)")
    exit(1)
}
