import CoreDataSQL
import SQLiteKit

/// Moves large values into and out of external files during a migration.
final class MigratedLargeValues {
    private let external: ExternalData
    private let writer: any LargeValueWriting

    init(store: URL) {
        external = ExternalData(store: store)
        writer = ExternalDataWriter(store: store)
    }

    /// Registers the functions that the steps of a migration call.
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

    /// Removes the files that were written, after the migration has failed.
    func discard() { writer.discard(after: 0) }
}
