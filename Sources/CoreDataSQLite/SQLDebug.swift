import CoreDataSQL
import SQLiteKit

/// Whether the statements that stores send to SQLite are told on standard error.
///
/// Asked for by the argument `-com.apple.CoreData.SQLDebug 1` as on Apple's platforms, by an environment variable of the
/// same name, or by the user default. `com.apple.CoreData.Logging.stderr`, set to `0`, silences it. Decided once, when
/// the first store is met.
///
/// | level | what is told |
/// |--:|---|
/// | 1 | each statement, its time and rows |
/// | 2 | the kinds of the bound values, and what SQLite counted |
/// | 3 | the bound values |
/// | 4 | the plan of each query |
///
/// Apple's framework tells values from level 2 on.
enum SQLDebug {
    static let name = "com.apple.CoreData.SQLDebug"
    static let standardErrorName = "com.apple.CoreData.Logging.stderr"

    /// Has the connections of this process tell what the program was started with; costs nothing the second time.
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
        LogSettings.ofNewConnections = LogSettings(level: level) { line in
            FileHandle.standardError.write(Data((line + "\n").utf8))
        }
    }()
}
