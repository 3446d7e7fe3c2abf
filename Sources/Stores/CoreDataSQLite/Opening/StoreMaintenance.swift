import CoreDataSQL
import SQLiteKit

/// Maintenance of a file that the options request when it is opened for writing.
struct StoreMaintenance {
    let options: [AnyHashable: Any]

    /// Rebuilds the file (VACUUM) and updates statistics (ANALYZE), if the options request it.
    func run(on connection: Connection) throws {
        if isSet(NSSQLiteManualVacuumOption) { try connection.execute("VACUUM") }
        if isSet(NSSQLiteAnalyzeOption) { try connection.execute("ANALYZE") }
    }

    private func isSet(_ option: String) -> Bool { Self.isSet(option, in: options) }

    /// Whether an option is on: `true`, a number other than zero, or a string such as "yes".
    static func isSet(_ option: String, in options: [AnyHashable: Any]) -> Bool {
        switch options[option] {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String: ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }
}
