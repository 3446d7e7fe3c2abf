import CoreDataSQL
import SQLiteKit

/// Logs the SQL statements that stores execute to `CoreDataLogging`, if the program asks for it.
///
/// Enabled by the argument `-com.apple.CoreData.SQLDebug 1` as on Apple's platforms, by an environment variable of the
/// same name, or by the user default. `com.apple.CoreData.Logging.stderr`, set to `0`, disables it. The settings are
/// read once, when the first store is used.
///
/// | level | what is logged |
/// |--:|---|
/// | 1 | each statement, its time and number of rows |
/// | 2 | the types of the bound values, and SQLite's counters |
/// | 3 | the bound values |
/// | 4 | the plan of each query |
///
/// Apple's framework logs values from level 2 on.
enum SQLDebug {
    static let name = "com.apple.CoreData.SQLDebug"
    static let standardErrorName = "com.apple.CoreData.Logging.stderr"

    /// Enables logging on this process's connections as set at launch; further calls do nothing.
    static func install() { installed }

    private static let installed: Void = {
        StatementRecording.follow()
        let number =
            LaunchSettings.text(name).map { max(($0 as NSString).integerValue, ($0 as NSString).boolValue ? 1 : 0) }
            ?? 0
        let isSilenced = LaunchSettings.text(standardErrorName).map { !($0 as NSString).boolValue } ?? false
        guard number > 0, !isSilenced, let level = LogLevel(rawValue: min(number, LogLevel.plans.rawValue)) else {
            return
        }
        LogSettings.ofNewConnections = LogSettings(level: level, sink: report)
    }()

    /// Logs a line of a connection's log; the library's name at its beginning is passed as the prefix.
    static func report(_ line: String) {
        let prefix = "CoreData: "
        let isPrefixed = line.hasPrefix(prefix)
        CoreDataLogging.report(
            .debug, isPrefixed ? String(line.dropFirst(prefix.count)) : line,
            metadata: [CoreDataLogging.MetadataKey.category: "sql"], prefix: isPrefixed ? prefix : "")
    }
}
