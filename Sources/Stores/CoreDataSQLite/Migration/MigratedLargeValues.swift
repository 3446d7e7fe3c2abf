import CoreDataSQL
import SQLiteKit

/// Moves large values into files and out of them while their rows are migrated.
final class MigratedLargeValues {
    private let external: ExternalData
    private let writer: any LargeValueWriting

    init(store: URL) {
        external = ExternalData(store: store)
        writer = ExternalDataWriter(store: store)
    }

    /// Makes the functions callable that the steps of a migration use.
    func register(on connection: Connection) throws {
        try connection.registerFunction(SchemaMigration.marking, argumentCount: 1, flags: [.directOnly]) {
            [writer] arguments in
            switch arguments.type(0) {
            case .blob: .blob([UInt8](try writer.storedForm(of: Data(arguments.blobBytes(0)))))
            default: arguments[0]
            }
        }
        try connection.registerFunction(SchemaMigration.unmarking, argumentCount: 1, flags: [.directOnly]) {
            [external] arguments in
            switch arguments.type(0) {
            case .blob: .blob([UInt8](try external.value(stored: arguments.blobBytes(0))))
            default: arguments[0]
            }
        }
    }

    /// Removes what was written, since no row will name it.
    func discard() { writer.discard(after: 0) }
}
