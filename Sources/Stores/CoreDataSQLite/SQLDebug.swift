import CoreDataSQL
import SQLiteKit

/// Whether the statements that stores send to SQLite are reported to `CoreDataLogging`.
///
/// Asked for by the argument `-com.apple.CoreData.SQLDebug 1` as on Apple's platforms, by an environment variable of the
/// same name, or by the user default. `com.apple.CoreData.Logging.stderr`, set to `0`, silences it. Decided once, when
/// the first store is met.
///
/// | level | what is reported |
/// |--:|---|
/// | 1 | each statement, its time and rows |
/// | 2 | the kinds of the bound values, and what SQLite counted |
/// | 3 | the bound values |
/// | 4 | the plan of each query |
///
/// Apple's framework reports values from level 2 on.
enum SQLDebug {
    static let name = "com.apple.CoreData.SQLDebug"
    static let standardErrorName = "com.apple.CoreData.Logging.stderr"

    /// Has the connections of this process report what the program was started with; costs nothing the second time.
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

    /// Reports a line of a connection's log, which begins with the library's name.
    static func report(_ line: String) {
        let prefix = "CoreData: "
        let isPrefixed = line.hasPrefix(prefix)
        CoreDataLogging.report(
            .debug, isPrefixed ? String(line.dropFirst(prefix.count)) : line,
            metadata: [CoreDataLogging.MetadataKey.category: "sql"], prefix: isPrefixed ? prefix : "")
    }
}
